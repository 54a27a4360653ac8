<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>Area</source>
      <translation>区域</translation>
    </message>
    <message>
      <source>Bookmark</source>
      <translation>书签</translation>
    </message>
    <message>
      <source>Underline</source>
      <translation>下划线</translation>
    </message>
    <message>
      <source>Highlight</source>
      <translation>高亮</translation>
    </message>
    <message>
      <source>Bookmark added</source>
      <translation>已添加书签</translation>
    </message>
    <message>
      <source>Bookmark removed</source>
      <translation>已移除书签</translation>
    </message>
    <message>
      <source>Highlight removed</source>
      <translation>已移除高亮</translation>
    </message>
    <message>
      <source>{title} – notes</source>
      <translation>{title} – 笔记</translation>
    </message>
    <message>
      <source>Area removed</source>
      <translation>已移除区域</translation>
    </message>
    <message>
      <source>Export notes</source>
      <translation>导出笔记</translation>
    </message>
    <message>
      <source>Markdown (*.md)</source>
      <translation>Markdown (*.md)</translation>
    </message>
    <message>
      <source>p. {page}</source>
      <translation>第 {page} 页</translation>
    </message>
    <message>
      <source>Tags: {tags}</source>
      <translation>标签：{tags}</translation>
    </message>
    <message>
      <source>Picture copied.</source>
      <translation>已复制图片。</translation>
    </message>
    <message>
      <source>Select a passage and choose a colour beside it; Ctrl+D adds a bookmark. What you mark is listed here.</source>
      <translation>选中一段文字，在旁边选择颜色；按 Ctrl+D 添加书签。标记的内容列在这里。</translation>
    </message>
    <message>
      <source>By chapter</source>
      <translation>按章节</translation>
    </message>
    <message>
      <source>By page</source>
      <translation>按页码</translation>
    </message>
    <message>
      <source>Newest first</source>
      <translation>最新的在前</translation>
    </message>
    <message>
      <source>Go to the note</source>
      <translation>转到笔记</translation>
    </message>
    <message>
      <source>Edit the note</source>
      <translation>编辑笔记</translation>
    </message>
    <message>
      <source>Edit the tags of the note</source>
      <translation>编辑笔记的标签</translation>
    </message>
    <message>
      <source>Colour of the note: {colors}</source>
      <translation>笔记颜色：{colors}</translation>
    </message>
    <message>
      <source>Copy the note with its citation</source>
      <translation>复制笔记并附引用</translation>
    </message>
    <message>
      <source>Remove the note</source>
      <translation>移除笔记</translation>
    </message>
    <message>
      <source>{place} · no longer in the text</source>
      <translation>{place} · 原文中已不存在</translation>
    </message>
    <message>
      <source>Area · {place}</source>
      <translation>区域 · {place}</translation>
    </message>
    <message>
      <source>Show only: {color}</source>
      <translation>只显示：{color}</translation>
    </message>
    <message>
      <source>(a page without text)</source>
      <translation>（无文字的页面）</translation>
    </message>
    <message>
      <source>no longer in the text</source>
      <translation>已不在正文中</translation>
    </message>
    <message>
      <source>Bookmark · {place}</source>
      <translation>书签 · {place}</translation>
    </message>
    <message>
      <source>Order of the notes</source>
      <translation>笔记排序</translation>
    </message>
    <message>
      <source>Export as Markdown…</source>
      <translation>导出为 Markdown…</translation>
    </message>
    <message>
      <source>Filter notes</source>
      <translation>筛选笔记</translation>
    </message>
    <message>
      <source>Highlights and bookmarks</source>
      <translation>高亮与书签</translation>
    </message>
    <message>
      <source>No note matches the filter.</source>
      <translation>没有符合筛选条件的笔记。</translation>
    </message>
    <message>
      <source>{n} of {notes}</source>
      <translation>{notes}中的 {n} 条</translation>
    </message>
    <message>
      <source>Edit note</source>
      <translation>编辑笔记</translation>
    </message>
    <message>
      <source>Add note</source>
      <translation>添加笔记</translation>
    </message>
    <message>
      <source>Go to</source>
      <translation>前往</translation>
    </message>
    <message>
      <source>Tags…</source>
      <translation>标签…</translation>
    </message>
    <message>
      <source>Copy with citation</source>
      <translation>复制并附引用</translation>
    </message>
    <message>
      <source>Copy picture</source>
      <translation>复制图片</translation>
    </message>
    <message>
      <source>Remove</source>
      <translation>移除</translation>
    </message>
    <message>
      <source>(an area without text)</source>
      <translation>（没有文字的区域）</translation>
    </message>
    <message>
      <source>More</source>
      <translation>更多</translation>
    </message>
    <message>
      <source>Colour</source>
      <translation>颜色</translation>
    </message>
    <message>
      <source>Ask about this</source>
      <translation>就此提问</translation>
    </message>
    <message>
      <source>Tags</source>
      <translation>标签</translation>
    </message>
    <message>
      <source>Nothing is open</source>
      <translation>没有打开文档</translation>
    </message>
    <message>
      <source>Open a document from the library, or click a citation to open its passage.</source>
      <translation>从资料库打开一个文档，或点击引用编号直达原文段落。</translation>
    </message>
    <message>
      <source>Restore</source>
      <translation>恢复</translation>
    </message>
    <message>
      <source>Opening the document…</source>
      <translation>正在打开文档…</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>打开</translation>
    </message>
    <message>
      <source>Show in graph</source>
      <translation>在图谱中显示</translation>
    </message>
    <message>
      <source>Highlight all</source>
      <translation>全部高亮</translation>
    </message>
    <message>
      <source>Highlights every mention; step through them with Alt+Up and Alt+Down</source>
      <translation>高亮每处提及；用 Alt+↑ 和 Alt+↓ 逐处查看</translation>
    </message>
    <message>
      <source>Edit this name</source>
      <translation>编辑此实体</translation>
    </message>
    <message>
      <source>also {names}</source>
      <translation>又名 {names}</translation>
    </message>
    <message>
      <source>, </source>
      <translation>、</translation>
    </message>
    <message>
      <source>Correct the description…</source>
      <translation>更正描述…</translation>
    </message>
    <message>
      <source>Pictures</source>
      <translation>图片</translation>
    </message>
    <message>
      <source>Caption, or text in a picture</source>
      <translation>图注，或图片中的文字</translation>
    </message>
    <message>
      <source>Descriptions are searched too.</source>
      <translation>也搜索描述。</translation>
    </message>
    <message>
      <source>Show large</source>
      <translation>放大显示</translation>
    </message>
    <message>
      <source>Describe pictures…</source>
      <translation>描述图片…</translation>
    </message>
    <message>
      <source>Write a description…</source>
      <translation>撰写描述…</translation>
    </message>
    <message>
      <source>This picture can't be drawn.</source>
      <translation>无法绘制这张图片。</translation>
    </message>
    <message>
      <source>Let a model on this computer say what is in the pictures</source>
      <translation>让本机上的模型说明图片内容</translation>
    </message>
    <message>
      <source>No picture has these words.</source>
      <translation>没有图片含有这些词。</translation>
    </message>
    <message>
      <source>No pictures were found in this document.</source>
      <translation>此文档中没有找到图片。</translation>
    </message>
    <message>
      <source>Describe again</source>
      <translation>重新描述</translation>
    </message>
    <message>
      <source>Describe this picture</source>
      <translation>描述这张图片</translation>
    </message>
    <message>
      <source>Delete the description</source>
      <translation>删除描述</translation>
    </message>
    <message>
      <source>Go to its place</source>
      <translation>转到所在位置</translation>
    </message>
    <message>
      <source>Narrow</source>
      <translation>窄</translation>
    </message>
    <message>
      <source>Medium</source>
      <translation>适中</translation>
    </message>
    <message>
      <source>Wide</source>
      <translation>宽</translation>
    </message>
    <message>
      <source>Full width</source>
      <translation>全宽</translation>
    </message>
    <message>
      <source>Follow the window</source>
      <translation>跟随窗口</translation>
    </message>
    <message>
      <source>Paper</source>
      <translation>纸白</translation>
    </message>
    <message>
      <source>Sepia</source>
      <translation>米黄</translation>
    </message>
    <message>
      <source>Dark</source>
      <translation>深色</translation>
    </message>
    <message>
      <source>Text size, lines, pages and colours</source>
      <translation>字号、行长、页面与颜色</translation>
    </message>
    <message>
      <source>Back</source>
      <translation>返回</translation>
    </message>
    <message>
      <source>Forward</source>
      <translation>前进</translation>
    </message>
    <message>
      <source>Contents, pages and notes</source>
      <translation>目录、页面和笔记</translation>
    </message>
    <message>
      <source>Search in document</source>
      <translation>在文档中搜索</translation>
    </message>
    <message>
      <source>Underline names</source>
      <translation>标出实体</translation>
    </message>
    <message>
      <source>Open in a full-width tab</source>
      <translation>在标签页中全宽打开</translation>
    </message>
    <message>
      <source>Side by side, or in a new window</source>
      <translation>并排显示或在新窗口中打开</translation>
    </message>
    <message>
      <source>Close the document</source>
      <translation>关闭文档</translation>
    </message>
    <message>
      <source>Add a note to the selected text</source>
      <translation>为选中的文字添加笔记</translation>
    </message>
    <message>
      <source>Add bookmark</source>
      <translation>添加书签</translation>
    </message>
    <message>
      <source>Ctrl+wheel zooms</source>
      <translation>Ctrl+滚轮缩放</translation>
    </message>
    <message>
      <source>Fit text (margins hidden)</source>
      <translation>适合文字（隐藏页边）</translation>
    </message>
    <message>
      <source>Fit width</source>
      <translation>适合宽度</translation>
    </message>
    <message>
      <source>Fit page</source>
      <translation>适合整页</translation>
    </message>
    <message>
      <source>One page at a time</source>
      <translation>单页显示</translation>
    </message>
    <message>
      <source>Two pages side by side</source>
      <translation>双页并排</translation>
    </message>
    <message>
      <source>Cover page alone</source>
      <translation>封面单独一页</translation>
    </message>
    <message>
      <source>Underline every mention of a name</source>
      <translation>每次出现都标出实体</translation>
    </message>
    <message>
      <source>{share}%</source>
      <translation>{share}%</translation>
    </message>
    <message>
      <source>Note</source>
      <translation>笔记</translation>
    </message>
    <message>
      <source>Find</source>
      <translation>查找</translation>
    </message>
    <message>
      <source>Names</source>
      <translation>实体</translation>
    </message>
    <message>
      <source>Contents</source>
      <translation>目录</translation>
    </message>
    <message>
      <source>Side by side</source>
      <translation>并排</translation>
    </message>
    <message>
      <source>Zoom</source>
      <translation>缩放</translation>
    </message>
    <message>
      <source>Matches</source>
      <translation>搜索结果</translation>
    </message>
    <message>
      <source>The first {n} matches</source>
      <translation>前 {n} 处匹配</translation>
    </message>
    <message>
      <source>Type words into the search field. Every place where they stand is listed here.</source>
      <translation>在搜索框中输入文字，所有出现的位置都会列在这里。</translation>
    </message>
    <message>
      <source>Close the list of matches</source>
      <translation>关闭匹配列表</translation>
    </message>
    <message>
      <source>Title page</source>
      <translation>标题页</translation>
    </message>
    <message>
      <source>Previous mention</source>
      <translation>上一处提及</translation>
    </message>
    <message>
      <source>Next mention</source>
      <translation>下一处提及</translation>
    </message>
    <message>
      <source>Stop highlighting</source>
      <translation>停止高亮</translation>
    </message>
    <message>
      <source>No mentions</source>
      <translation>没有提及</translation>
    </message>
    <message>
      <source>{n} of {all}</source>
      <translation>{n} / {all}</translation>
    </message>
    <message>
      <source>Persons</source>
      <translation>人物</translation>
    </message>
    <message>
      <source>Places</source>
      <translation>地点</translation>
    </message>
    <message>
      <source>Organisations</source>
      <translation>组织</translation>
    </message>
    <message>
      <source>Events</source>
      <translation>事件</translation>
    </message>
    <message>
      <source>Objects</source>
      <translation>物品</translation>
    </message>
    <message>
      <source>Concepts</source>
      <translation>概念</translation>
    </message>
    <message>
      <source>Others</source>
      <translation>其他</translation>
    </message>
    <message>
      <source>Otherwise only the first mention on each page is underlined.</source>
      <translation>否则每页只给首次出现的实体加下划线。</translation>
    </message>
    <message>
      <source>No names were found in this document.</source>
      <translation>此文档中没有找到实体。</translation>
    </message>
    <message>
      <source>Every mention</source>
      <translation>每次出现</translation>
    </message>
    <message>
      <source>Now only the first mention on each page is underlined.</source>
      <translation>现在每页只给首次出现的实体加下划线。</translation>
    </message>
    <message>
      <source>{share}% read</source>
      <translation>已读 {share}%</translation>
    </message>
    <message>
      <source>Page</source>
      <translation>页码</translation>
    </message>
    <message>
      <source>Per cent of the text</source>
      <translation>全文百分比</translation>
    </message>
    <message>
      <source>Go to page</source>
      <translation>转到页</translation>
    </message>
    <message>
      <source>There is no such page. The last is {last}.</source>
      <translation>没有这一页，最后一页是 {last}。</translation>
    </message>
    <message>
      <source>Add a note</source>
      <translation>添加笔记</translation>
    </message>
    <message>
      <source>{keys} or Esc: back to the list. What is typed is kept.</source>
      <translation>按 {keys} 或 Esc 返回列表，输入的内容会保留。</translation>
    </message>
    <message>
      <source>Copy</source>
      <translation>复制</translation>
    </message>
    <message>
      <source>Ask about this passage</source>
      <translation>就这段提问</translation>
    </message>
    <message>
      <source>Show its names in the graph</source>
      <translation>在图谱中显示其中的实体</translation>
    </message>
    <message>
      <source>Add event from this sentence…</source>
      <translation>由此句添加事件…</translation>
    </message>
    <message>
      <source>Highlight every mention of {name}</source>
      <translation>高亮 {name} 的每处提及</translation>
    </message>
    <message>
      <source>{name} is the same as…</source>
      <translation>“{name}”等同于…</translation>
    </message>
    <message>
      <source>This is not {name}…</source>
      <translation>这不是“{name}”…</translation>
    </message>
    <message>
      <source>Different person or thing with this name…</source>
      <translation>同名的另一人或事物…</translation>
    </message>
    <message>
      <source>“{words}” is not an alias of {name}</source>
      <translation>“{words}”不是 {name} 的别名</translation>
    </message>
    <message>
      <source>Not a name: delete and ignore</source>
      <translation>不是实体：删除并忽略</translation>
    </message>
    <message>
      <source>Copied with citation.</source>
      <translation>已复制并附引用。</translation>
    </message>
    <message>
      <source>Add name</source>
      <translation>添加实体</translation>
    </message>
    <message>
      <source>Edit note…</source>
      <translation>编辑笔记…</translation>
    </message>
    <message>
      <source>Add “{words}” as a name…</source>
      <translation>将“{words}”添加为实体…</translation>
    </message>
    <message>
      <source>“{words}” is the same as…</source>
      <translation>“{words}”等同于…</translation>
    </message>
    <message>
      <source>It is added to the graph, and every occurrence of these words becomes a mention.</source>
      <translation>将加入图谱，这些文字的每次出现都会成为一处提及。</translation>
    </message>
    <message>
      <source>Add</source>
      <translation>添加</translation>
    </message>
    <message>
      <source>Add as alias</source>
      <translation>添加为别名</translation>
    </message>
    <message>
      <source>“{words}” is now an alias of “{name}”</source>
      <translation>“{words}”现在是“{name}”的别名</translation>
    </message>
    <message>
      <source>Not {name}: who or what is it here?</source>
      <translation>不是 {name}：此处是谁或什么？</translation>
    </message>
    <message>
      <source>Highlight with a note…</source>
      <translation>高亮并写笔记…</translation>
    </message>
    <message>
      <source>There are no names in this passage.</source>
      <translation>此段文字中没有实体。</translation>
    </message>
    <message>
      <source>This name has changed in the meantime.</source>
      <translation>此实体已被更改。</translation>
    </message>
    <message>
      <source>Only this mention is split off. To choose several mentions, use “Split…” on the page of the name.</source>
      <translation>只拆分这一处提及；要选择多处，请在实体页面使用“拆分…”。</translation>
    </message>
    <message>
      <source>Split off</source>
      <translation>拆出</translation>
    </message>
    <message>
      <source>Open {name}</source>
      <translation>打开“{name}”</translation>
    </message>
    <message>
      <source>Show {name} in the graph</source>
      <translation>在图谱中显示“{name}”</translation>
    </message>
    <message>
      <source>“{name}” added</source>
      <translation>已添加“{name}”</translation>
    </message>
    <message>
      <source>“{given}” split from “{name}”</source>
      <translation>已从“{name}”拆出“{given}”</translation>
    </message>
    <message>
      <source>The password is kept in the keyring of this computer if it has one, otherwise until Inkgraph is closed. It is not stored in the library.</source>
      <translation>密码保存在本机的密钥环中；如果没有密钥环，则只保留到 Inkgraph 关闭。密码不会存入资料库。</translation>
    </message>
    <message>
      <source>“{title}” has a password</source>
      <translation>“{title}”有密码</translation>
    </message>
    <message>
      <source>Password of this document</source>
      <translation>此文档的密码</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>This password does not open it.</source>
      <translation>此密码无法打开该文档。</translation>
    </message>
    <message>
      <source>You confirmed this line.</source>
      <translation>您已确认这一行。</translation>
    </message>
    <message>
      <source>You corrected this line. It was read as “{text}”.</source>
      <translation>您已改正这一行。原来识别为“{text}”。</translation>
    </message>
    <message>
      <source>Read with {share}% confidence. Enter saves.</source>
      <translation>识别的可信度为 {share}%。按回车键保存。</translation>
    </message>
    <message>
      <source>Read with {share}% confidence. Click to correct or confirm it.</source>
      <translation>识别的可信度为 {share}%。点击可改正或确认。</translation>
    </message>
    <message>
      <source>Text of this line</source>
      <translation>这一行的文字</translation>
    </message>
    <message>
      <source>Previous uncertain line</source>
      <translation>上一处不确定的行</translation>
    </message>
    <message>
      <source>Next uncertain line</source>
      <translation>下一处不确定的行</translation>
    </message>
    <message>
      <source>Save</source>
      <translation>保存</translation>
    </message>
    <message>
      <source>Leave without saving</source>
      <translation>不保存并关闭</translation>
    </message>
    <message>
      <source>Previous page</source>
      <translation>上一页</translation>
    </message>
    <message>
      <source>Next page</source>
      <translation>下一页</translation>
    </message>
    <message>
      <source>Zoom out</source>
      <translation>缩小</translation>
    </message>
    <message>
      <source>Choose a zoom</source>
      <translation>选择缩放比例</translation>
    </message>
    <message>
      <source>Zoom in</source>
      <translation>放大</translation>
    </message>
    <message>
      <source>Zoom in per cent of the page width</source>
      <translation>缩放比例（相对于页宽）</translation>
    </message>
    <message>
      <source>Text size in per cent</source>
      <translation>字号百分比</translation>
    </message>
    <message>
      <source>of {all}</source>
      <translation>/ {all}</translation>
    </message>
    <message>
      <source>Zoom: 100% fits the page width</source>
      <translation>缩放：100% 为适合页宽</translation>
    </message>
    <message>
      <source>Fit page · {share}%</source>
      <translation>适合整页 · {share}%</translation>
    </message>
    <message>
      <source>Fit text · {share}%</source>
      <translation>适合文字 · {share}%</translation>
    </message>
    <message>
      <source>Pages are shown whole, with their margins.</source>
      <translation>显示整页，包括页边。</translation>
    </message>
    <message>
      <source>The text fills the width; the margins of pages are hidden.</source>
      <translation>文字占满宽度，页边已隐藏。</translation>
    </message>
    <message>
      <source>Margins are hidden. Larger letters would leave too few lines in sight.</source>
      <translation>页边已隐藏。文字再大，能看到的行就太少了。</translation>
    </message>
    <message>
      <source>The cover is shown whole; the pages after it fit their text.</source>
      <translation>封面整页显示；其后各页按正文宽度缩放。</translation>
    </message>
    <message>
      <source>This page waits to be read</source>
      <translation>这一页等待识别</translation>
    </message>
    <message>
      <source>This page was not read</source>
      <translation>这一页没有识别</translation>
    </message>
    <message>
      <source>This page can't be read: {reason}</source>
      <translation>这一页无法识别：{reason}</translation>
    </message>
    <message>
      <source>The order of the lines is uncertain</source>
      <translation>各行的顺序不确定</translation>
    </message>
    <message>
      <source>Pages of the document</source>
      <translation>文档页面</translation>
    </message>
    <message>
      <source>Rotate this page right</source>
      <translation>将此页向右旋转</translation>
    </message>
    <message>
      <source>Rotate this page left</source>
      <translation>将此页向左旋转</translation>
    </message>
    <message>
      <source>Correct this line…</source>
      <translation>改正这一行…</translation>
    </message>
    <message>
      <source>Change the sides of the area</source>
      <translation>更改区域的边界</translation>
    </message>
    <message>
      <source>Marks the selected text. Without a selection it stays pressed until Esc.</source>
      <translation>标记所选文字。未选文字时保持按下，直到按 Esc。</translation>
    </message>
    <message>
      <source>Draw a rectangle on a page: that part is kept as a picture. It snaps to a figure or a table with its caption, or to whole lines; with Alt it stays as it is drawn. A click takes a figure or a table. The arrow keys draw one, too: they move it, with Shift they change its size, and Enter keeps it. Esc ends.</source>
      <translation>在页面上画一个矩形：这一部分会作为图片保存。矩形会对齐到图或表及其标题，或者对齐到整行；按住 Alt 时保持所画的样子。单击可选取图或表。方向键也可以画：方向键移动矩形，加 Shift 改变大小，回车键保存。按 Esc 结束。</translation>
    </message>
    <message>
      <source>The arrow, or the Down key, opens the colours.</source>
      <translation>点箭头或按 ↓ 键选择颜色。</translation>
    </message>
    <message>
      <source>Select the text first, then add a note to it.</source>
      <translation>请先选中文字，再添加笔记。</translation>
    </message>
    <message>
      <source>Read this page now</source>
      <translation>立即识别这一页</translation>
    </message>
    <message>
      <source>Pause</source>
      <translation>暂停</translation>
    </message>
    <message>
      <source>Resume</source>
      <translation>继续</translation>
    </message>
    <message>
      <source>Don't read the rest</source>
      <translation>不再识别其余页</translation>
    </message>
    <message>
      <source>Hide</source>
      <translation>隐藏</translation>
    </message>
    <message>
      <source>Paused: {done}</source>
      <translation>已暂停：{done}</translation>
    </message>
    <message>
      <source>Pause text recognition</source>
      <translation>暂停文字识别</translation>
    </message>
    <message>
      <source>Resume text recognition</source>
      <translation>继续文字识别</translation>
    </message>
    <message>
      <source>Pages that were read stay</source>
      <translation>已识别的页面会保留</translation>
    </message>
    <message>
      <source>order of the lines uncertain</source>
      <translation>各行顺序不确定</translation>
    </message>
    <message>
      <source>No line of the pages that were read is uncertain.</source>
      <translation>已识别的页面中没有不确定的行。</translation>
    </message>
    <message>
      <source>This page is next</source>
      <translation>接下来识别这一页</translation>
    </message>
    <message>
      <source>See the library for the reason, or to read it again.</source>
      <translation>资料库中说明了原因，并可重新读取。</translation>
    </message>
    <message>
      <source>Its text appears here as soon as it has been read.</source>
      <translation>读取完成后，正文会显示在这里。</translation>
    </message>
    <message>
      <source>Enrich this chapter now</source>
      <translation>立即深度提取本章</translation>
    </message>
    <message>
      <source>Enrich this document now</source>
      <translation>立即深度提取此文档</translation>
    </message>
    <message>
      <source>Restored from the trash</source>
      <translation>已从回收站恢复</translation>
    </message>
    <message>
      <source>There is no page “{page}”. Type a number from 1 to {last}.</source>
      <translation>没有第“{page}”页。请输入 1 到 {last} 之间的数字。</translation>
    </message>
    <message>
      <source>Results</source>
      <translation>结果</translation>
    </message>
    <message>
      <source>This PDF needs its password to show its pages, so here is its text.</source>
      <translation>显示此 PDF 的页面需要密码，因此这里显示其文本。</translation>
    </message>
    <message>
      <source>This document could not be read</source>
      <translation>无法读取此文档</translation>
    </message>
    <message>
      <source>This document has not been read yet</source>
      <translation>此文档尚未读取</translation>
    </message>
    <message>
      <source>Type the password…</source>
      <translation>输入密码…</translation>
    </message>
    <message>
      <source>Next match</source>
      <translation>下一个匹配</translation>
    </message>
    <message>
      <source>Previous match</source>
      <translation>上一个匹配</translation>
    </message>
    <message>
      <source>Actual size</source>
      <translation>实际大小</translation>
    </message>
    <message>
      <source>Next mention of the highlighted name</source>
      <translation>高亮实体的下一处提及</translation>
    </message>
    <message>
      <source>Previous mention of the highlighted name</source>
      <translation>高亮实体的上一处提及</translation>
    </message>
    <message>
      <source>Highlight selection</source>
      <translation>高亮所选文字</translation>
    </message>
    <message>
      <source>Underline selection</source>
      <translation>给所选文字加下划线</translation>
    </message>
    <message>
      <source>Mark an area of the page (with Alt, it does not snap)</source>
      <translation>标记页面的一个区域（按住 Alt 则不对齐）</translation>
    </message>
    <message>
      <source>Rotate the page right</source>
      <translation>向右旋转页面</translation>
    </message>
    <message>
      <source>Rotate the page left</source>
      <translation>向左旋转页面</translation>
    </message>
    <message>
      <source>Rotate all pages right</source>
      <translation>向右旋转所有页面</translation>
    </message>
    <message>
      <source>Rotate all pages left</source>
      <translation>向左旋转所有页面</translation>
    </message>
    <message>
      <source>Caret browsing</source>
      <translation>光标浏览</translation>
    </message>
    <message>
      <source>Next uncertain line of a scan</source>
      <translation>扫描件中下一处不确定的行</translation>
    </message>
    <message>
      <source>Previous uncertain line of a scan</source>
      <translation>扫描件中上一处不确定的行</translation>
    </message>
    <message>
      <source>Correct the line at the caret</source>
      <translation>改正光标所在的行</translation>
    </message>
    <message>
      <source>This document can't be shown.</source>
      <translation>无法显示此文档。</translation>
    </message>
    <message>
      <source>The pages of this PDF can't be shown, so here is its text.</source>
      <translation>无法显示此 PDF 的页面，因此这里显示其文本。</translation>
    </message>
    <message>
      <source>Search in this document</source>
      <translation>在此文档中搜索</translation>
    </message>
    <message>
      <source>Close search</source>
      <translation>关闭搜索</translation>
    </message>
    <message>
      <source>Match case</source>
      <translation>区分大小写</translation>
    </message>
    <message>
      <source>Whole words</source>
      <translation>全词匹配</translation>
    </message>
    <message>
      <source>List all matches</source>
      <translation>列出所有搜索结果</translation>
    </message>
    <message>
      <source>All matches</source>
      <translation>全部结果</translation>
    </message>
    <message>
      <source>No matches</source>
      <translation>没有匹配</translation>
    </message>
    <message>
      <source>Highlight: {color}</source>
      <translation>高亮：{color}</translation>
    </message>
    <message>
      <source>Copy the text</source>
      <translation>复制文字</translation>
    </message>
    <message>
      <source>Ask</source>
      <translation>提问</translation>
    </message>
    <message>
      <source>No chapters were found in this document.</source>
      <translation>此文档中没有找到章节。</translation>
    </message>
    <message>
      <source>Page {label}</source>
      <translation>第 {label} 页</translation>
    </message>
    <message>
      <source>Thumbnails</source>
      <translation>缩略图</translation>
    </message>
    <message>
      <source>Notes</source>
      <translation>笔记</translation>
    </message>
    <message>
      <source>Untitled</source>
      <translation>无标题</translation>
    </message>
    <message>
      <source>Go to this chapter</source>
      <translation>转到本章</translation>
    </message>
    <message>
      <source>Show beside “{screen}”</source>
      <translation>显示在“{screen}”旁边</translation>
    </message>
    <message>
      <source>Close tab</source>
      <translation>关闭标签页</translation>
    </message>
    <message>
      <source>Open documents</source>
      <translation>打开的文档</translation>
    </message>
    <message>
      <source>{title} (in the trash)</source>
      <translation>{title}（在回收站中）</translation>
    </message>
    <message>
      <source>Close other tabs</source>
      <translation>关闭其他标签页</translation>
    </message>
    <message>
      <source>Reopen closed tab</source>
      <translation>重新打开关闭的标签页</translation>
    </message>
    <message>
      <source>Side by side with</source>
      <translation>并排显示</translation>
    </message>
    <message>
      <source>This document again</source>
      <translation>再次打开此文档</translation>
    </message>
    <message>
      <source>Move to a new window</source>
      <translation>移到新窗口</translation>
    </message>
    <message>
      <source>Side by side: {titles}</source>
      <translation>并排显示：{titles}</translation>
    </message>
    <message>
      <source>Separate tabs</source>
      <translation>拆成单独的标签页</translation>
    </message>
    <message>
      <source>Back into a tab</source>
      <translation>移回标签页</translation>
    </message>
    <message>
      <source>Text of the document</source>
      <translation>文档正文</translation>
    </message>
    <message>
      <source>Extend selection by a character</source>
      <translation>按字符扩展选择</translation>
    </message>
    <message>
      <source>Extend selection by a word</source>
      <translation>按词扩展选择</translation>
    </message>
    <message>
      <source>Extend selection by a line</source>
      <translation>按行扩展选择</translation>
    </message>
    <message>
      <source>Context menu of the selection</source>
      <translation>所选内容的菜单</translation>
    </message>
    <message>
      <source>Highlight the selection: {colors}</source>
      <translation>高亮所选内容：{colors}</translation>
    </message>
    <message>
      <source>Underline the selection</source>
      <translation>给所选内容加下划线</translation>
    </message>
    <message>
      <source>Highlight the selection with a note</source>
      <translation>高亮所选内容并写笔记</translation>
    </message>
    <message>
      <source>Ask about the selection</source>
      <translation>就所选内容提问</translation>
    </message>
    <message>
      <source>Show the names of the selection in the graph</source>
      <translation>在图谱中显示所选内容里的实体</translation>
    </message>
    <message>
      <source>Next tab</source>
      <translation>下一个标签页</translation>
    </message>
    <message>
      <source>Previous tab</source>
      <translation>上一个标签页</translation>
    </message>
    <message>
      <source>Move tab to the right</source>
      <translation>标签页右移</translation>
    </message>
    <message>
      <source>Move tab to the left</source>
      <translation>标签页左移</translation>
    </message>
    <message>
      <source>Next name</source>
      <translation>下一个实体</translation>
    </message>
    <message>
      <source>Previous name</source>
      <translation>上一个实体</translation>
    </message>
    <message>
      <source>Open the name or highlight at the caret</source>
      <translation>打开光标处的实体或高亮</translation>
    </message>
    <message>
      <source>Fit text</source>
      <translation>适合文字</translation>
    </message>
    <message>
      <source>100%</source>
      <translation>100%</translation>
    </message>
    <message>
      <source>Scrolling</source>
      <translation>连续滚动</translation>
    </message>
    <message>
      <source>All pages in one column</source>
      <translation>所有页面排成一列</translation>
    </message>
    <message>
      <source>Single page</source>
      <translation>单页</translation>
    </message>
    <message>
      <source>Two pages</source>
      <translation>双页</translation>
    </message>
    <message>
      <source>This page</source>
      <translation>此页</translation>
    </message>
    <message>
      <source>Rotate only the page in sight</source>
      <translation>只旋转当前页面</translation>
    </message>
    <message>
      <source>All pages</source>
      <translation>所有页面</translation>
    </message>
    <message>
      <source>Rotate all pages of the document</source>
      <translation>旋转文档的所有页面</translation>
    </message>
    <message>
      <source>How the document is shown</source>
      <translation>文档的显示方式</translation>
    </message>
    <message>
      <source>Automatic</source>
      <translation>自动</translation>
    </message>
    <message>
      <source>Page colours</source>
      <translation>页面颜色</translation>
    </message>
    <message>
      <source>Page layout</source>
      <translation>页面布局</translation>
    </message>
    <message>
      <source>Rotate</source>
      <translation>旋转</translation>
    </message>
    <message>
      <source>Rotate left</source>
      <translation>向左旋转</translation>
    </message>
    <message>
      <source>Rotate right</source>
      <translation>向右旋转</translation>
    </message>
    <message>
      <source>Line length</source>
      <translation>行长</translation>
    </message>
    <message>
      <source>Go to page…</source>
      <translation>转到页…</translation>
    </message>
    <message numerus="yes">
      <source>{n} notes written to “{file}”.</source>
      <translation>
        <numerusform>已将 {n} 条笔记写入“{file}”。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} notes</source>
      <translation>
        <numerusform>{n} 条笔记</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} mentions</source>
      <translation>
        <numerusform>{n} 处提及</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} here</source>
      <translation>
        <numerusform>本文档 {n} 处</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Pictures of this passage:</source>
      <translation>
        <numerusform>这段文字提到的图片：</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} pages</source>
      <translation>
        <numerusform>{n} 页</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} matches on {pages}</source>
      <translation>
        <numerusform>{pages}上有 {n} 处匹配</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} matches</source>
      <translation>
        <numerusform>{n} 处匹配</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} names</source>
      <translation>
        <numerusform>{n} 个实体</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} more types</source>
      <translation>
        <numerusform>另外 {n} 种类型</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} types</source>
      <translation>
        <numerusform>{n} 种类型</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} screens left in this section</source>
      <translation>
        <numerusform>本节还剩 {n} 屏</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} uncertain lines on this page</source>
      <translation>
        <numerusform>本页有 {n} 行不确定</numerusform>
      </translation>
    </message>
  </context>
</TS>

<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>Documents</source>
      <translation>文档</translation>
    </message>
    <message>
      <source>Add the pasted text</source>
      <translation>添加粘贴的文本</translation>
    </message>
    <message>
      <source>Title</source>
      <translation>标题</translation>
    </message>
    <message>
      <source>The text</source>
      <translation>正文</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>Add</source>
      <translation>添加</translation>
    </message>
    <message>
      <source>There are no files and no text on the clipboard.</source>
      <translation>剪贴板中没有文件，也没有文本。</translation>
    </message>
    <message>
      <source>Documents in the trash</source>
      <translation>回收站中的文档</translation>
    </message>
    <message>
      <source>Bring back</source>
      <translation>恢复</translation>
    </message>
    <message>
      <source>Delete for good</source>
      <translation>永久删除</translation>
    </message>
    <message>
      <source>The trash is empty</source>
      <translation>回收站是空的</translation>
    </message>
    <message>
      <source>What you delete waits here.</source>
      <translation>删除的文档会先放在这里。</translation>
    </message>
    <message>
      <source>{file}, {size}, deleted {when}</source>
      <translation>{file}，{size}，删除于 {when}</translation>
    </message>
    <message>
      <source>New collection</source>
      <translation>新建合集</translation>
    </message>
    <message>
      <source>Name</source>
      <translation>名称</translation>
    </message>
    <message>
      <source>Rename the tag</source>
      <translation>重命名标签</translation>
    </message>
    <message>
      <source>Tag</source>
      <translation>标签</translation>
    </message>
    <message>
      <source>New tag</source>
      <translation>新建标签</translation>
    </message>
    <message>
      <source>Rename the collection</source>
      <translation>重命名合集</translation>
    </message>
    <message>
      <source>Details…</source>
      <translation>详细信息…</translation>
    </message>
    <message>
      <source>Add to collection</source>
      <translation>添加到合集</translation>
    </message>
    <message>
      <source>New collection…</source>
      <translation>新建合集…</translation>
    </message>
    <message>
      <source>Take out of “{name}”</source>
      <translation>从“{name}”中移除</translation>
    </message>
    <message>
      <source>Tags</source>
      <translation>标签</translation>
    </message>
    <message>
      <source>New tag…</source>
      <translation>新建标签…</translation>
    </message>
    <message>
      <source>Bring all back</source>
      <translation>全部恢复</translation>
    </message>
    <message>
      <source>Empty the trash</source>
      <translation>清空回收站</translation>
    </message>
    <message>
      <source>Delete</source>
      <translation>删除</translation>
    </message>
    <message>
      <source>Collection “{name}” deleted; its documents stay</source>
      <translation>已删除合集“{name}”；其中的文档会保留</translation>
    </message>
    <message>
      <source>Show</source>
      <translation>显示</translation>
    </message>
    <message>
      <source>Rename…</source>
      <translation>重命名…</translation>
    </message>
    <message>
      <source>Delete the collection</source>
      <translation>删除合集</translation>
    </message>
    <message>
      <source>Retry all failed ({n})</source>
      <translation>重试全部失败项（{n}）</translation>
    </message>
    <message>
      <source>{what} moved to the trash</source>
      <translation>{what}已移到回收站</translation>
    </message>
    <message>
      <source>{what} deleted.</source>
      <translation>{what}已删除。</translation>
    </message>
    <message>
      <source>Take the tag off all documents</source>
      <translation>从所有文档移除此标签</translation>
    </message>
    <message>
      <source>Undo</source>
      <translation>撤销</translation>
    </message>
    <message>
      <source>Separated by commas</source>
      <translation>用逗号分隔</translation>
    </message>
    <message>
      <source>Where it is from, what it is for</source>
      <translation>来自哪里，有何用处</translation>
    </message>
    <message>
      <source>Rename</source>
      <translation>重命名</translation>
    </message>
    <message>
      <source>Details</source>
      <translation>详细信息</translation>
    </message>
    <message>
      <source>Author</source>
      <translation>作者</translation>
    </message>
    <message>
      <source>Year</source>
      <translation>年份</translation>
    </message>
    <message>
      <source>Language</source>
      <translation>语言</translation>
    </message>
    <message>
      <source>Note</source>
      <translation>笔记</translation>
    </message>
    <message>
      <source>This stands also when the file is read again.</source>
      <translation>重新读取文件后，这里的内容仍然保留。</translation>
    </message>
    <message>
      <source>Save</source>
      <translation>保存</translation>
    </message>
    <message>
      <source>Details changed</source>
      <translation>已修改详细信息</translation>
    </message>
    <message>
      <source>The details are as they were.</source>
      <translation>详细信息已恢复原样。</translation>
    </message>
    <message>
      <source>(as they are)</source>
      <translation>（保持不变）</translation>
    </message>
    <message>
      <source>New and changed files of these folders come into the library by themselves while Inkgraph is open. Files that you delete there are told; their documents stay.</source>
      <translation>Inkgraph 打开期间，这些文件夹中新增和改动的文件会自动进入资料库。你在那里删除的文件会有提示；它们的文档会保留。</translation>
    </message>
    <message>
      <source>{one} and {other}</source>
      <translation>{one}和{other}</translation>
    </message>
    <message>
      <source>This library</source>
      <translation>当前资料库</translation>
    </message>
    <message>
      <source>Show in its folder</source>
      <translation>在文件夹中显示</translation>
    </message>
    <message>
      <source>Compact</source>
      <translation>压缩整理</translation>
    </message>
    <message>
      <source>Give the room of what was deleted back to the disk</source>
      <translation>把已删除内容占用的空间还给磁盘</translation>
    </message>
    <message>
      <source>Open a backup…</source>
      <translation>打开备份…</translation>
    </message>
    <message>
      <source>Back up…</source>
      <translation>备份…</translation>
    </message>
    <message>
      <source>Back up the library</source>
      <translation>备份资料库</translation>
    </message>
    <message>
      <source>Open a backup</source>
      <translation>打开备份</translation>
    </message>
    <message>
      <source>Where it is to lie</source>
      <translation>保存到哪里</translation>
    </message>
    <message>
      <source>Inkgraph libraries</source>
      <translation>Inkgraph 资料库</translation>
    </message>
    <message>
      <source>Watched folders</source>
      <translation>监视文件夹</translation>
    </message>
    <message>
      <source>No folder is watched.</source>
      <translation>没有监视任何文件夹。</translation>
    </message>
    <message>
      <source>Watch no more</source>
      <translation>停止监视</translation>
    </message>
    <message>
      <source>Watch a folder…</source>
      <translation>监视一个文件夹…</translation>
    </message>
    <message>
      <source>Done</source>
      <translation>完成</translation>
    </message>
    <message>
      <source>Delete “{title}” from the library? The file on disk stays.</source>
      <translation>从资料库删除“{title}”？磁盘上的文件会保留。</translation>
    </message>
    <message>
      <source>Watch a folder</source>
      <translation>监视一个文件夹</translation>
    </message>
    <message>
      <source>Copy the list</source>
      <translation>复制列表</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Delete “{title}” from the library? {goes} goes with it; the file on disk stays.</source>
      <translation>从资料库删除“{title}”？{goes}会随之删除；磁盘上的文件会保留。</translation>
    </message>
    <message>
      <source>Delete “{title}” from the library? {goes} go with it; the file on disk stays.</source>
      <translation>从资料库删除“{title}”？{goes}会随之删除；磁盘上的文件会保留。</translation>
    </message>
    <message>
      <source>File</source>
      <translation>文件</translation>
    </message>
    <message>
      <source>Size</source>
      <translation>大小</translation>
    </message>
    <message>
      <source>Names</source>
      <translation>名称</translation>
    </message>
    <message>
      <source>Passages</source>
      <translation>段落</translation>
    </message>
    <message>
      <source>Chats</source>
      <translation>对话</translation>
    </message>
    <message>
      <source>{name} backup</source>
      <translation>{name} 备份</translation>
    </message>
    <message>
      <source>{name} restored</source>
      <translation>{name} 已恢复</translation>
    </message>
    <message>
      <source>The text is read again and its names are found again. Your corrections, highlights and details stay.</source>
      <translation>会重新读取正文并重新查找名称。你的修改、高亮和详细信息都会保留。</translation>
    </message>
    <message>
      <source>Type what separates the passages.</source>
      <translation>请输入分隔段落的符号。</translation>
    </message>
    <message>
      <source>As for new documents</source>
      <translation>与新文档相同</translation>
    </message>
    <message>
      <source>Index again</source>
      <translation>重新建立索引</translation>
    </message>
    <message>
      <source>These documents are cut in different ways now; they become alike.</source>
      <translation>这些文档目前的切分方式不同，之后会变得一致。</translation>
    </message>
    <message>
      <source>Passage {n}</source>
      <translation>段落 {n}</translation>
    </message>
    <message>
      <source>Same as “{title}”</source>
      <translation>内容同“{title}”</translation>
    </message>
    <message>
      <source>Enrich…</source>
      <translation>精读…</translation>
    </message>
    <message>
      <source>Enrich now</source>
      <translation>立即精读</translation>
    </message>
    <message>
      <source>Stop</source>
      <translation>停止</translation>
    </message>
    <message>
      <source>Failed passages</source>
      <translation>失败的段落</translation>
    </message>
    <message>
      <source>Retry failed passages</source>
      <translation>重试失败的段落</translation>
    </message>
    <message>
      <source>Open {name}</source>
      <translation>打开“{name}”</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>打开</translation>
    </message>
    <message>
      <source>Retry</source>
      <translation>重试</translation>
    </message>
    <message>
      <source>Read next</source>
      <translation>下一个读取</translation>
    </message>
    <message>
      <source>Password of this document</source>
      <translation>此文档的密码</translation>
    </message>
    <message>
      <source>Remarks</source>
      <translation>说明</translation>
    </message>
    <message>
      <source>Pages</source>
      <translation>页面</translation>
    </message>
    <message>
      <source>Length</source>
      <translation>长度</translation>
    </message>
    <message>
      <source>Mentions</source>
      <translation>提及</translation>
    </message>
    <message>
      <source>Added</source>
      <translation>添加时间</translation>
    </message>
    <message>
      <source>Before everything that waits</source>
      <translation>排到所有等待项之前</translation>
    </message>
    <message>
      <source>What is enriched stays</source>
      <translation>已精读的内容会保留</translation>
    </message>
    <message>
      <source>Enrichment</source>
      <translation>精读</translation>
    </message>
    <message>
      <source>Show the first of the two</source>
      <translation>显示最先加入的那一个</translation>
    </message>
    <message>
      <source>Before all that waits</source>
      <translation>排到所有等待项之前</translation>
    </message>
    <message>
      <source>What was read of it stays</source>
      <translation>已读取的部分会保留</translation>
    </message>
    <message>
      <source>Select a document to see its facts.</source>
      <translation>选择一个文档，查看它的信息。</translation>
    </message>
    <message>
      <source>{state}. {more}</source>
      <translation>{state}。{more}</translation>
    </message>
    <message>
      <source>Go on</source>
      <translation>继续</translation>
    </message>
    <message>
      <source>, </source>
      <translation>、</translation>
    </message>
    <message>
      <source>All documents</source>
      <translation>全部文档</translation>
    </message>
    <message>
      <source>Trash</source>
      <translation>回收站</translation>
    </message>
    <message>
      <source>Collections and tags</source>
      <translation>合集与标签</translation>
    </message>
    <message>
      <source>Failed</source>
      <translation>失败</translation>
    </message>
    <message>
      <source>Set aside</source>
      <translation>已搁置</translation>
    </message>
    <message>
      <source>Collections</source>
      <translation>合集</translation>
    </message>
    <message>
      <source>Add files…</source>
      <translation>添加文件…</translation>
    </message>
    <message>
      <source>Drop a book here</source>
      <translation>把书拖到这里</translation>
    </message>
    <message>
      <source>PDF, EPUB, Word, HTML, Markdown or plain text, in English or 中文. Inkgraph reads it on this computer and shows who and what is in it.</source>
      <translation>PDF、EPUB、Word、HTML、Markdown 或纯文本，英文或中文均可。Inkgraph 在这台电脑上阅读，并告诉你书中有哪些人和事物。</translation>
    </message>
    <message>
      <source>Clear the filter</source>
      <translation>清除筛选</translation>
    </message>
    <message>
      <source>No document fits</source>
      <translation>没有符合条件的文档</translation>
    </message>
    <message>
      <source>Try again</source>
      <translation>再试一次</translation>
    </message>
    <message>
      <source>The library can't be shown</source>
      <translation>无法显示资料库</translation>
    </message>
    <message>
      <source>Add files</source>
      <translation>添加文件</translation>
    </message>
    <message>
      <source>Add a folder</source>
      <translation>添加文件夹</translation>
    </message>
    <message>
      <source>Try the demo library</source>
      <translation>试用示例资料库</translation>
    </message>
    <message>
      <source>Add what is on the clipboard</source>
      <translation>添加剪贴板中的内容</translation>
    </message>
    <message>
      <source>Move to the trash</source>
      <translation>移到回收站</translation>
    </message>
    <message>
      <source>Delete for good…</source>
      <translation>永久删除…</translation>
    </message>
    <message>
      <source>Add folder…</source>
      <translation>添加文件夹…</translation>
    </message>
    <message>
      <source>Paste</source>
      <translation>粘贴</translation>
    </message>
    <message>
      <source>Add the demo texts</source>
      <translation>添加示例文本</translation>
    </message>
    <message>
      <source>Pause indexing</source>
      <translation>暂停建立索引</translation>
    </message>
    <message>
      <source>Go on indexing</source>
      <translation>继续建立索引</translation>
    </message>
    <message>
      <source>Enrich the library…</source>
      <translation>精读资料库…</translation>
    </message>
    <message>
      <source>How to enrich…</source>
      <translation>精读方式…</translation>
    </message>
    <message>
      <source>Import a graph</source>
      <translation>导入图谱</translation>
    </message>
    <message>
      <source>Folder of LightRAG or GraphRAG…</source>
      <translation>LightRAG 或 GraphRAG 文件夹…</translation>
    </message>
    <message>
      <source>JSON or GraphML file…</source>
      <translation>JSON 或 GraphML 文件…</translation>
    </message>
    <message>
      <source>Watched folders…</source>
      <translation>监视文件夹…</translation>
    </message>
    <message>
      <source>This library…</source>
      <translation>当前资料库…</translation>
    </message>
    <message>
      <source>Show or hide the facts</source>
      <translation>显示或隐藏检查面板</translation>
    </message>
    <message>
      <source>Books, papers and notes</source>
      <translation>书籍、论文和笔记</translation>
    </message>
    <message>
      <source>All files</source>
      <translation>所有文件</translation>
    </message>
    <message>
      <source>Read the document</source>
      <translation>阅读文档</translation>
    </message>
    <message>
      <source>Delete the chosen documents</source>
      <translation>删除选中的文档</translation>
    </message>
    <message>
      <source>Rename the document</source>
      <translation>重命名文档</translation>
    </message>
    <message>
      <source>Index again…</source>
      <translation>重新建立索引…</translation>
    </message>
    <message>
      <source>Set aside from questions</source>
      <translation>搁置，不用于问答</translation>
    </message>
    <message>
      <source>Use in questions again</source>
      <translation>重新用于问答</translation>
    </message>
    <message>
      <source>Stop enriching</source>
      <translation>停止精读</translation>
    </message>
    <message>
      <source>State</source>
      <translation>状态</translation>
    </message>
    <message>
      <source>Enriched</source>
      <translation>精读</translation>
    </message>
    <message>
      <source>How much of it a chat model has gone over</source>
      <translation>对话模型已精读的部分</translation>
    </message>
    <message>
      <source>Characters of text</source>
      <translation>正文字符数</translation>
    </message>
    <message>
      <source>Show as cards</source>
      <translation>以卡片显示</translation>
    </message>
    <message>
      <source>Sort by…</source>
      <translation>排序方式…</translation>
    </message>
    <message>
      <source>Largest or latest first</source>
      <translation>最大或最新的在前</translation>
    </message>
    <message>
      <source>Library</source>
      <translation>资料库</translation>
    </message>
    <message>
      <source>Titles, tags and texts</source>
      <translation>搜索标题、标签和正文</translation>
    </message>
    <message>
      <source>Have a chat model go over what is selected, or over all</source>
      <translation>让对话模型精读选中的文档，或全部文档</translation>
    </message>
    <message>
      <source>More</source>
      <translation>更多</translation>
    </message>
    <message>
      <source>Show as a table</source>
      <translation>以表格显示</translation>
    </message>
    <message>
      <source>Names and relations were found without a model. “Enrich…” has one read the passages, sort the relations and write what they say.</source>
      <translation>名称和关系是在没有模型的情况下找到的。“精读…”会让模型阅读各个段落，归类关系并写出其内容。</translation>
    </message>
    <message>
      <source>failed: {reason}</source>
      <translation>失败：{reason}</translation>
    </message>
    <message>
      <source>indexing</source>
      <translation>正在建立索引</translation>
    </message>
    <message>
      <source>ready</source>
      <translation>就绪</translation>
    </message>
    <message>
      <source>same as {title}</source>
      <translation>内容同 {title}</translation>
    </message>
    <message>
      <source>enriched</source>
      <translation>已精读</translation>
    </message>
    <message>
      <source>none: from answers kept before</source>
      <translation>无：取自先前保存的回答</translation>
    </message>
    <message>
      <source>{n} s</source>
      <translation>{n} 秒</translation>
    </message>
    <message>
      <source>{n} min</source>
      <translation>{n} 分钟</translation>
    </message>
    <message>
      <source>{h} h {m} min</source>
      <translation>{h} 小时 {m} 分钟</translation>
    </message>
    <message>
      <source>{h} h</source>
      <translation>{h} 小时</translation>
    </message>
    <message>
      <source>It could not be read.</source>
      <translation>无法读取。</translation>
    </message>
    <message>
      <source>set aside</source>
      <translation>已搁置</translation>
    </message>
    <message>
      <source>Questions leave it out.</source>
      <translation>提问时不会用到它。</translation>
    </message>
    <message>
      <source>waiting</source>
      <translation>等待中</translation>
    </message>
    <message>
      <source>It is read when its turn comes.</source>
      <translation>轮到时就会读取。</translation>
    </message>
    <message>
      <source>reading</source>
      <translation>正在读取</translation>
    </message>
    <message>
      <source>indexing {done} of {n}</source>
      <translation>建立索引 {done}/{n}</translation>
    </message>
    <message>
      <source>What is in can be used already.</source>
      <translation>已读入的部分现在就可以使用。</translation>
    </message>
    <message>
      <source>stopped</source>
      <translation>已停止</translation>
    </message>
    <message>
      <source>Use “Go on” to index the rest.</source>
      <translation>用“继续”为其余部分建立索引。</translation>
    </message>
    <message>
      <source>ready, preparing {share} %</source>
      <translation>就绪，正在准备 {share}%</translation>
    </message>
    <message>
      <source>Names and words can be searched; search by meaning is being prepared.</source>
      <translation>已可搜索名称和字词；按含义搜索正在准备中。</translation>
    </message>
    <message>
      <source>{rate} per second</source>
      <translation>每秒 {rate} 个</translation>
    </message>
    <message>
      <source>another document</source>
      <translation>另一个文档</translation>
    </message>
    <message>
      <source>{share} %, {failed}</source>
      <translation>{share}%，{failed}</translation>
    </message>
    <message>
      <source>instant</source>
      <translation>即时</translation>
    </message>
    <message>
      <source>Waiting</source>
      <translation>等待中</translation>
    </message>
    <message>
      <source>Gave nothing</source>
      <translation>无结果</translation>
    </message>
    <message>
      <source>Model</source>
      <translation>模型</translation>
    </message>
    <message>
      <source>Tokens</source>
      <translation>Token</translation>
    </message>
    <message>
      <source>Time</source>
      <translation>用时</translation>
    </message>
    <message numerus="yes">
      <source>{n} names</source>
      <translation>
        <numerusform>{n} 个名称</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} pages</source>
      <translation>
        <numerusform>{n} 页</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} characters</source>
      <translation>
        <numerusform>{n} 个字符</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} documents in “{name}”</source>
      <translation>
        <numerusform>“{name}”中有 {n} 个文档</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} documents are read next.</source>
      <translation>
        <numerusform>接下来读取 {n} 个文档。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} documents</source>
      <translation>
        <numerusform>{n} 个文档</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Delete {n} documents for good? There is no way back.</source>
      <translation>
        <numerusform>永久删除 {n} 个文档？此操作无法撤销。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>What is here for more than {n} days goes for good.</source>
      <translation>
        <numerusform>在这里超过 {n} 天的内容会被永久删除。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Details of {n} documents</source>
      <translation>
        <numerusform>{n} 个文档的详细信息</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Delete {n} documents from the library? {goes} go with them; the files on disk stay.</source>
      <translation>
        <numerusform>从资料库删除 {n} 个文档？{goes}会随之删除；磁盘上的文件会保留。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} connections</source>
      <translation>
        <numerusform>{n} 条关系</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Delete {n} documents from the library? The files on disk stay.</source>
      <translation>
        <numerusform>从资料库删除 {n} 个文档？磁盘上的文件会保留。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Delete {n} documents from the library? {goes} goes with them; the files on disk stay.</source>
      <translation>
        <numerusform>从资料库删除 {n} 个文档？{goes}会随之删除；磁盘上的文件会保留。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} files were not added</source>
      <translation>
        <numerusform>{n} 个文件未能添加</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>and {n} more</source>
      <translation>
        <numerusform>还有 {n} 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Index {n} documents again</source>
      <translation>
        <numerusform>为 {n} 个文档重新建立索引</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} documents are indexed again.</source>
      <translation>
        <numerusform>正在为 {n} 个文档重新建立索引。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} passages are enriched; where their text changes, they have to be enriched again.</source>
      <translation>
        <numerusform>有 {n} 个段落已精读；内容有变的段落需要重新精读。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} documents selected</source>
      <translation>
        <numerusform>已选中 {n} 个文档</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} documents, {busy} still being read</source>
      <translation>
        <numerusform>{n} 个文档，{busy} 个还在读取</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{done} of {n} passages</source>
      <translation>
        <numerusform>{done}/{n} 个段落</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} failed</source>
      <translation>
        <numerusform>{n} 个失败</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} waiting</source>
      <translation>
        <numerusform>{n} 个等待中</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{done} of {n} pages</source>
      <translation>
        <numerusform>{done}/{n} 页</numerusform>
      </translation>
    </message>
  </context>
</TS>

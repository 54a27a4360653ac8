<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>Remove the bookmark</source>
      <translation>移除书签</translation>
    </message>
    <message>
      <source>Remove the highlight</source>
      <translation>移除高亮</translation>
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
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>What do you think of it?</source>
      <translation>写下你的想法</translation>
    </message>
    <message>
      <source>Note</source>
      <translation>笔记</translation>
    </message>
    <message>
      <source>Ask about it</source>
      <translation>就此提问</translation>
    </message>
    <message>
      <source>Copy with its source</source>
      <translation>连同出处复制</translation>
    </message>
    <message>
      <source>Note kept</source>
      <translation>笔记已保存</translation>
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
      <source>Bookmark</source>
      <translation>书签</translation>
    </message>
    <message>
      <source>Highlighted</source>
      <translation>已高亮</translation>
    </message>
    <message>
      <source>Select a passage and highlight it from its menu or with Ctrl+Shift+H; Ctrl+D puts a bookmark. What you mark is listed here.</source>
      <translation>选中一段文字后，用右键菜单或 Ctrl+Shift+H 高亮；按 Ctrl+D 加书签。所有标记都会列在这里。</translation>
    </message>
    <message>
      <source>Highlight</source>
      <translation>高亮</translation>
    </message>
    <message>
      <source>(a page without text)</source>
      <translation>（无文字的页面）</translation>
    </message>
    <message>
      <source>{place} · no longer in the text</source>
      <translation>{place} · 原文中已不存在</translation>
    </message>
    <message>
      <source>Highlights and bookmarks</source>
      <translation>高亮与书签</translation>
    </message>
    <message>
      <source>Export as Markdown…</source>
      <translation>导出为 Markdown…</translation>
    </message>
    <message>
      <source>Bookmark · {place}</source>
      <translation>书签 · {place}</translation>
    </message>
    <message>
      <source>Go there</source>
      <translation>转到此处</translation>
    </message>
    <message>
      <source>Edit the note…</source>
      <translation>编辑笔记…</translation>
    </message>
    <message>
      <source>Remove</source>
      <translation>移除</translation>
    </message>
    <message>
      <source>Nothing is open</source>
      <translation>没有打开文档</translation>
    </message>
    <message>
      <source>Open a document from the library, or click on a citation to land on its passage.</source>
      <translation>从资料库打开一个文档，或点击引文直达原文段落。</translation>
    </message>
    <message>
      <source>Chapters</source>
      <translation>章节</translation>
    </message>
    <message>
      <source>Pages</source>
      <translation>页面</translation>
    </message>
    <message>
      <source>Back</source>
      <translation>返回</translation>
    </message>
    <message>
      <source>Chapters, pages and notes</source>
      <translation>章节、页面与笔记</translation>
    </message>
    <message>
      <source>Search in document</source>
      <translation>在文档中搜索</translation>
    </message>
    <message>
      <source>Underline names</source>
      <translation>标出名称</translation>
    </message>
    <message>
      <source>Bookmark this place</source>
      <translation>在此处加书签</translation>
    </message>
    <message>
      <source>Close the document</source>
      <translation>关闭文档</translation>
    </message>
    <message>
      <source>{share} %</source>
      <translation>{share}%</translation>
    </message>
    <message>
      <source>Zoom (Ctrl+wheel)</source>
      <translation>缩放（Ctrl+滚轮）</translation>
    </message>
    <message>
      <source>Zoom</source>
      <translation>缩放</translation>
    </message>
    <message>
      <source>Larger</source>
      <translation>放大</translation>
    </message>
    <message>
      <source>Smaller</source>
      <translation>缩小</translation>
    </message>
    <message>
      <source>Normal size</source>
      <translation>原始大小</translation>
    </message>
    <message>
      <source>One page at a time</source>
      <translation>单页显示</translation>
    </message>
    <message>
      <source>Dark pages</source>
      <translation>深色页面</translation>
    </message>
    <message>
      <source>Go to page…</source>
      <translation>转到页…</translation>
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
      <source>Mark all here</source>
      <translation>标出全部</translation>
    </message>
    <message>
      <source>Mark every place in the margin and step through them</source>
      <translation>在页边标出每一处，并可逐处查看</translation>
    </message>
    <message>
      <source>Correct this name</source>
      <translation>更正这个名称</translation>
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
      <source>Place before</source>
      <translation>上一处</translation>
    </message>
    <message>
      <source>Next place</source>
      <translation>下一处</translation>
    </message>
    <message>
      <source>Follow no name</source>
      <translation>不再追踪名称</translation>
    </message>
    <message>
      <source>Not here</source>
      <translation>本文档没有</translation>
    </message>
    <message>
      <source>{n} of {all}</source>
      <translation>{n} / {all}</translation>
    </message>
    <message>
      <source>p. {label} ({n} of {all})</source>
      <translation>第 {label} 页（{n} / {all}）</translation>
    </message>
    <message>
      <source>p. {n} of {all}</source>
      <translation>第 {n} 页，共 {all} 页</translation>
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
      <source>No chapters were found in this document.</source>
      <translation>这个文档中没有找到章节。</translation>
    </message>
    <message>
      <source>Enrich this chapter now</source>
      <translation>立即精读本章</translation>
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
      <source>Copied with its source.</source>
      <translation>已连同出处复制。</translation>
    </message>
    <message>
      <source>Add a name</source>
      <translation>添加名称</translation>
    </message>
    <message>
      <source>It is in the graph from now on, and found wherever these words stand.</source>
      <translation>它将加入图谱，凡有这些字的地方都会被找到。</translation>
    </message>
    <message>
      <source>Add</source>
      <translation>添加</translation>
    </message>
    <message>
      <source>“{words}” is the same as…</source>
      <translation>“{words}”等同于…</translation>
    </message>
    <message>
      <source>It is the same</source>
      <translation>就是同一个</translation>
    </message>
    <message>
      <source>“{name}” is “{words}” too</source>
      <translation>“{words}”已归入“{name}”</translation>
    </message>
    <message>
      <source>Not {name}: who is it here?</source>
      <translation>不是“{name}”：这里是谁？</translation>
    </message>
    <message>
      <source>No name stands in this passage.</source>
      <translation>这段文字中没有名称。</translation>
    </message>
    <message>
      <source>This name was changed meanwhile.</source>
      <translation>这个名称刚才已被更改。</translation>
    </message>
    <message>
      <source>Only this place becomes somebody else; more of them can be chosen with “Split…” on the page of the name.</source>
      <translation>只有这一处会改归他人；要选更多处，请在名称页面使用“拆分…”。</translation>
    </message>
    <message>
      <source>Split off</source>
      <translation>拆出</translation>
    </message>
    <message>
      <source>“{name}” added</source>
      <translation>已添加“{name}”</translation>
    </message>
    <message>
      <source>“{given}” split off “{name}”</source>
      <translation>已从“{name}”拆出“{given}”</translation>
    </message>
    <message>
      <source>Yellow</source>
      <translation>黄色</translation>
    </message>
    <message>
      <source>Green</source>
      <translation>绿色</translation>
    </message>
    <message>
      <source>Blue</source>
      <translation>蓝色</translation>
    </message>
    <message>
      <source>Pink</source>
      <translation>粉色</translation>
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
      <source>Mark every {name} in the margin</source>
      <translation>在页边标出每一处“{name}”</translation>
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
      <source>It is somebody else of this name…</source>
      <translation>是另一个同名者…</translation>
    </message>
    <message>
      <source>“{words}” is not another name of {name}</source>
      <translation>“{words}”不是“{name}”的别名</translation>
    </message>
    <message>
      <source>It is no name at all</source>
      <translation>根本不是名称</translation>
    </message>
    <message>
      <source>Show its names in the graph</source>
      <translation>在图谱中显示其中的名称</translation>
    </message>
    <message>
      <source>Highlight with a note…</source>
      <translation>高亮并写笔记…</translation>
    </message>
    <message>
      <source>Add “{words}” as a name…</source>
      <translation>将“{words}”添加为名称…</translation>
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
      <source>Pages of the document</source>
      <translation>文档页面</translation>
    </message>
    <message>
      <source>Enrich this document now</source>
      <translation>立即精读本文档</translation>
    </message>
    <message>
      <source>This document can't be shown.</source>
      <translation>无法显示这个文档。</translation>
    </message>
    <message>
      <source>The pages of this PDF can't be shown, so here is its text.</source>
      <translation>无法显示这份 PDF 的页面，改为显示其文字。</translation>
    </message>
    <message>
      <source>Search in the document</source>
      <translation>在文档中搜索</translation>
    </message>
    <message>
      <source>Next hit</source>
      <translation>下一处</translation>
    </message>
    <message>
      <source>Previous hit</source>
      <translation>上一处</translation>
    </message>
    <message>
      <source>Next place of the followed name</source>
      <translation>所追踪名称的下一处</translation>
    </message>
    <message>
      <source>Previous place of the followed name</source>
      <translation>所追踪名称的上一处</translation>
    </message>
    <message>
      <source>Highlight what is selected</source>
      <translation>高亮所选文字</translation>
    </message>
    <message>
      <source>Select text with the keys</source>
      <translation>用键盘选择文字</translation>
    </message>
    <message>
      <source>Search in this document</source>
      <translation>在本文档中搜索</translation>
    </message>
    <message>
      <source>Close search</source>
      <translation>关闭搜索</translation>
    </message>
    <message>
      <source>No hits</source>
      <translation>没有结果</translation>
    </message>
    <message>
      <source>Text of the document</source>
      <translation>文档正文</translation>
    </message>
    <message>
      <source>Page {label}</source>
      <translation>第 {label} 页</translation>
    </message>
    <message>
      <source>Select letter by letter</source>
      <translation>逐字选择</translation>
    </message>
    <message>
      <source>Select word by word</source>
      <translation>逐词选择</translation>
    </message>
    <message>
      <source>Select line by line</source>
      <translation>逐行选择</translation>
    </message>
    <message>
      <source>Menu of what is selected</source>
      <translation>所选内容的菜单</translation>
    </message>
    <message>
      <source>Next name</source>
      <translation>下一个名称</translation>
    </message>
    <message>
      <source>Name before</source>
      <translation>上一个名称</translation>
    </message>
    <message>
      <source>Open the name or highlight at the caret</source>
      <translation>打开光标处的名称或高亮</translation>
    </message>
    <message numerus="yes">
      <source>{n} notes written to “{file}”.</source>
      <translation>
        <numerusform>已将 {n} 条笔记写入“{file}”。</numerusform>
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
  </context>
</TS>

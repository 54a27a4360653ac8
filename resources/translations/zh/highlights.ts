<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>Markdown…</source>
      <translation>Markdown…</translation>
    </message>
    <message>
      <source>Word (DOCX)…</source>
      <translation>Word (DOCX)…</translation>
    </message>
    <message>
      <source>CSL-JSON (Zotero)…</source>
      <translation>CSL-JSON (Zotero)…</translation>
    </message>
    <message>
      <source>Copy picture</source>
      <translation>复制图片</translation>
    </message>
    <message>
      <source>Copy with citation</source>
      <translation>复制并附引用</translation>
    </message>
    <message>
      <source>Show more</source>
      <translation>显示更多</translation>
    </message>
    <message>
      <source>Open in the reader</source>
      <translation>在阅读器中打开</translation>
    </message>
    <message>
      <source>Colour</source>
      <translation>颜色</translation>
    </message>
    <message>
      <source>Note</source>
      <translation>笔记</translation>
    </message>
    <message>
      <source>Tags</source>
      <translation>标签</translation>
    </message>
    <message>
      <source>Remove</source>
      <translation>移除</translation>
    </message>
    <message>
      <source>Show less</source>
      <translation>收起</translation>
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
      <source>Edit tags</source>
      <translation>编辑标签</translation>
    </message>
    <message>
      <source>Add tags</source>
      <translation>添加标签</translation>
    </message>
    <message>
      <source>Document</source>
      <translation>文档</translation>
    </message>
    <message>
      <source>Collection</source>
      <translation>合集</translation>
    </message>
    <message>
      <source>With a note</source>
      <translation>有笔记</translation>
    </message>
    <message>
      <source>Clear filters</source>
      <translation>清除筛选</translation>
    </message>
    <message>
      <source>All documents</source>
      <translation>全部文档</translation>
    </message>
    <message>
      <source>All collections</source>
      <translation>全部合集</translation>
    </message>
    <message>
      <source>All tags</source>
      <translation>全部标签</translation>
    </message>
    <message>
      <source>All colours</source>
      <translation>全部颜色</translation>
    </message>
    <message>
      <source>Tag</source>
      <translation>标签</translation>
    </message>
    <message>
      <source>Tag of documents</source>
      <translation>文档的标签</translation>
    </message>
    <message>
      <source>Bookmarks</source>
      <translation>书签</translation>
    </message>
    <message>
      <source>By document</source>
      <translation>按文档</translation>
    </message>
    <message>
      <source>Newest first</source>
      <translation>最新的在前</translation>
    </message>
    <message>
      <source>By colour</source>
      <translation>按颜色</translation>
    </message>
    <message>
      <source>{place} · no longer in the text</source>
      <translation>{place} · 原文中已不存在</translation>
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
      <source>Without a date</source>
      <translation>没有日期</translation>
    </message>
    <message>
      <source>Highlights and notes</source>
      <translation>高亮与笔记</translation>
    </message>
    <message>
      <source>p. {page}</source>
      <translation>第 {page} 页</translation>
    </message>
    <message>
      <source>Area of the page</source>
      <translation>页面区域</translation>
    </message>
    <message>
      <source>Tags: {tags}</source>
      <translation>标签：{tags}</translation>
    </message>
    <message>
      <source>(a page without text)</source>
      <translation>（无文字的页面）</translation>
    </message>
    <message>
      <source> (folded)</source>
      <translation>（已折叠）</translation>
    </message>
    <message>
      <source>Select text in a document and press 1 to 4, or M for a note, to add more.</source>
      <translation>要添加更多，请在文档中选中文字，按 1 到 4 高亮，或按 M 写笔记。</translation>
    </message>
    <message>
      <source>Select the highlight, or all of the group</source>
      <translation>选择此高亮，或整组高亮</translation>
    </message>
    <message>
      <source>Select the next highlight too</source>
      <translation>同时选择下一处高亮</translation>
    </message>
    <message>
      <source>Fold the group (Right unfolds it)</source>
      <translation>折叠分组（向右键展开）</translation>
    </message>
    <message>
      <source>Open the highlight, or fold or unfold the group</source>
      <translation>打开高亮，或折叠、展开分组</translation>
    </message>
    <message>
      <source>highlight</source>
      <translation>高亮</translation>
    </message>
    <message>
      <source>highlight with a note</source>
      <translation>高亮并添加笔记</translation>
    </message>
    <message>
      <source>bookmark</source>
      <translation>书签</translation>
    </message>
    <message>
      <source>Export</source>
      <translation>导出</translation>
    </message>
    <message>
      <source>Highlights</source>
      <translation>高亮</translation>
    </message>
    <message>
      <source>Search in highlights and notes</source>
      <translation>搜索高亮与笔记</translation>
    </message>
    <message>
      <source>Order</source>
      <translation>顺序</translation>
    </message>
    <message>
      <source>Order of the list</source>
      <translation>列表顺序</translation>
    </message>
    <message>
      <source>Fold all groups</source>
      <translation>折叠所有分组</translation>
    </message>
    <message>
      <source>Compact list</source>
      <translation>紧凑列表</translation>
    </message>
    <message>
      <source>Choose a document</source>
      <translation>选择文档</translation>
    </message>
    <message>
      <source>No highlights yet</source>
      <translation>还没有高亮</translation>
    </message>
    <message>
      <source>Select text in a document and choose a colour in the bar that appears. Highlights, notes and bookmarks are listed here, with document and page, and can be exported.</source>
      <translation>在文档中选中文字，再在出现的工具条上选一种颜色。高亮、笔记和书签都会列在这里，注明文档和页码，并可导出。</translation>
    </message>
    <message>
      <source>No highlights match the filters</source>
      <translation>没有符合筛选条件的高亮</translation>
    </message>
    <message>
      <source>Show more or less of the highlight</source>
      <translation>展开或收起高亮全文</translation>
    </message>
    <message>
      <source>End the selection</source>
      <translation>结束选择</translation>
    </message>
    <message>
      <source>Search in highlights</source>
      <translation>搜索高亮</translation>
    </message>
    <message>
      <source>Unfold all groups</source>
      <translation>展开所有分组</translation>
    </message>
    <message>
      <source>{n} of {all}</source>
      <translation>{n} / {all}</translation>
    </message>
    <message>
      <source>Export {n} shown</source>
      <translation>导出所列 {n} 条</translation>
    </message>
    <message>
      <source>Export all {n}</source>
      <translation>导出全部 {n} 条</translation>
    </message>
    <message>
      <source>Tags…</source>
      <translation>标签…</translation>
    </message>
    <message>
      <source>End the selection of this</source>
      <translation>取消选择此条</translation>
    </message>
    <message>
      <source>Select</source>
      <translation>选择</translation>
    </message>
    <message>
      <source>Unfold</source>
      <translation>展开</translation>
    </message>
    <message>
      <source>Fold</source>
      <translation>折叠</translation>
    </message>
    <message>
      <source>Export highlights</source>
      <translation>导出高亮</translation>
    </message>
    <message>
      <source>Find</source>
      <translation>查找</translation>
    </message>
    <message>
      <source>Remove the highlight</source>
      <translation>移除高亮</translation>
    </message>
    <message>
      <source>Copy the highlight with its citation</source>
      <translation>复制高亮并附引用</translation>
    </message>
    <message>
      <source>Edit the note</source>
      <translation>编辑笔记</translation>
    </message>
    <message>
      <source>Edit the tags</source>
      <translation>编辑标签</translation>
    </message>
    <message>
      <source>Select all highlights in the list</source>
      <translation>选择列表中的所有高亮</translation>
    </message>
    <message>
      <source>Colour of the highlight: {color}</source>
      <translation>高亮颜色：{color}</translation>
    </message>
    <message>
      <source>Edit note…</source>
      <translation>编辑笔记…</translation>
    </message>
    <message>
      <source>Add note…</source>
      <translation>添加笔记…</translation>
    </message>
    <message>
      <source>Only this document</source>
      <translation>只看此文档</translation>
    </message>
    <message>
      <source>Copied with citation.</source>
      <translation>已复制并附引用。</translation>
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
      <source>Picture copied.</source>
      <translation>已复制图片。</translation>
    </message>
    <message>
      <source>Select all {n}</source>
      <translation>全选 {n} 条</translation>
    </message>
    <message>
      <source>Copy</source>
      <translation>复制</translation>
    </message>
    <message>
      <source>Export {n} selected</source>
      <translation>导出所选 {n} 条</translation>
    </message>
    <message>
      <source>Export {n}</source>
      <translation>导出 {n} 条</translation>
    </message>
    <message>
      <source>Select all {n} shown</source>
      <translation>全选所列 {n} 条</translation>
    </message>
    <message>
      <source>All {n}</source>
      <translation>全部 {n} 条</translation>
    </message>
    <message numerus="yes">
      <source>{n} entries</source>
      <translation>
        <numerusform>{n} 条</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} selected</source>
      <translation>
        <numerusform>已选 {n} 条</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Select {n} entries</source>
      <translation>
        <numerusform>选择这 {n} 条</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} entries copied with citations.</source>
      <translation>
        <numerusform>已复制 {n} 条并附引用。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Colour of {n} highlights changed</source>
      <translation>
        <numerusform>已更改 {n} 处高亮的颜色</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Tags of {n} entries changed</source>
      <translation>
        <numerusform>已更改 {n} 条的标签</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} notes written to “{file}”.</source>
      <translation>
        <numerusform>已将 {n} 条笔记写入“{file}”。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} entries removed</source>
      <translation>
        <numerusform>已移除 {n} 条</numerusform>
      </translation>
    </message>
  </context>
</TS>

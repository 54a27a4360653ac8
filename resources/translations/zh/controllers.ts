<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>{done} of {total} written</source>
      <translation>已写 {done} / {total}</translation>
    </message>
    <message>
      <source>Writing reports</source>
      <translation>正在撰写报告</translation>
    </message>
    <message>
      <source>Writing stopped. Written reports are kept.</source>
      <translation>撰写已停止。已写好的报告会保留。</translation>
    </message>
    <message>
      <source>Writing paused</source>
      <translation>撰写已暂停</translation>
    </message>
    <message>
      <source>Written reports are kept.</source>
      <translation>已写好的报告会保留。</translation>
    </message>
    <message>
      <source>{written} {failed}</source>
      <translation>{written}{failed}</translation>
    </message>
    <message>
      <source>Describing pictures of {title}</source>
      <translation>正在描述“{title}”的图片</translation>
    </message>
    <message>
      <source>Picture {n} of {all}</source>
      <translation>第 {n} 张图片，共 {all} 张</translation>
    </message>
    <message>
      <source>Paused while answering</source>
      <translation>回答问题时暂停</translation>
    </message>
    <message>
      <source>The other pictures are not described. What was described stays.</source>
      <translation>其余图片不再描述。已有的描述会保留。</translation>
    </message>
    <message>
      <source>Describing pictures is paused</source>
      <translation>描述图片已暂停</translation>
    </message>
    <message>
      <source>Describing pictures</source>
      <translation>正在描述图片</translation>
    </message>
    <message>
      <source>Corrections (*.json)</source>
      <translation>更正 (*.json)</translation>
    </message>
    <message>
      <source>Export corrections</source>
      <translation>导出更正</translation>
    </message>
    <message>
      <source>Import corrections</source>
      <translation>导入更正</translation>
    </message>
    <message>
      <source>Corrections from “{file}” imported</source>
      <translation>已导入“{file}”中的更正</translation>
    </message>
    <message>
      <source>Saved. Enriched passages keep their results until they are enriched again.</source>
      <translation>已保存。已深度提取的段落会保留结果，直到重新深度提取。</translation>
    </message>
    <message>
      <source>Enriching needs a chat model.</source>
      <translation>深度提取需要对话模型。</translation>
    </message>
    <message>
      <source>the library</source>
      <translation>资料库</translation>
    </message>
    <message>
      <source>Enriching: {time}.</source>
      <translation>深度提取：{time}。</translation>
    </message>
    <message>
      <source>Enrichment stopped. Finished passages are kept.</source>
      <translation>深度提取已停止。已完成的段落会保留。</translation>
    </message>
    <message>
      <source>Enrichment paused</source>
      <translation>深度提取已暂停</translation>
    </message>
    <message>
      <source>Finished passages are kept.</source>
      <translation>已完成的段落会保留。</translation>
    </message>
    <message>
      <source>There is nothing left to enrich there.</source>
      <translation>那里没有需要深度提取的内容了。</translation>
    </message>
    <message>
      <source>this document</source>
      <translation>此文档</translation>
    </message>
    <message>
      <source>Open Models</source>
      <translation>打开“模型”</translation>
    </message>
    <message>
      <source>Graphs (*.json *.graphml *.parquet);;All files (*)</source>
      <translation>图谱 (*.json *.graphml *.parquet);;所有文件 (*)</translation>
    </message>
    <message>
      <source>Importing {name}</source>
      <translation>正在导入“{name}”</translation>
    </message>
    <message>
      <source>Building the graph</source>
      <translation>正在构建图谱</translation>
    </message>
    <message>
      <source>Import a graph: a folder of LightRAG or GraphRAG</source>
      <translation>导入图谱：LightRAG 或 GraphRAG 文件夹</translation>
    </message>
    <message>
      <source>Import a graph</source>
      <translation>导入图谱</translation>
    </message>
    <message>
      <source>Another graph is being imported.</source>
      <translation>正在导入另一个图谱。</translation>
    </message>
    <message>
      <source>Import details</source>
      <translation>导入详情</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Details</source>
      <translation>详细信息</translation>
    </message>
    <message>
      <source>Indexing {title}</source>
      <translation>正在为“{title}”建立索引</translation>
    </message>
    <message>
      <source>Indexing</source>
      <translation>正在建立索引</translation>
    </message>
    <message>
      <source>Finding names in {title}</source>
      <translation>正在“{title}”中查找实体</translation>
    </message>
    <message>
      <source>Finding names</source>
      <translation>正在查找实体</translation>
    </message>
    <message>
      <source>Computing embeddings</source>
      <translation>正在计算向量</translation>
    </message>
    <message>
      <source>{name} — {reason}</source>
      <translation>{name}：{reason}</translation>
    </message>
    <message>
      <source>“{name}” is already in the library as “{title}”.</source>
      <translation>“{name}”已在资料库中，标题为“{title}”。</translation>
    </message>
    <message>
      <source>Backing up…</source>
      <translation>正在备份…</translation>
    </message>
    <message>
      <source>Compacting…</source>
      <translation>正在压缩整理…</translation>
    </message>
    <message>
      <source>Show</source>
      <translation>显示</translation>
    </message>
    <message>
      <source>Backed up to {folder}.</source>
      <translation>已备份到 {folder}。</translation>
    </message>
    <message>
      <source>Backed up to “{name}” ({size}).</source>
      <translation>已备份到“{name}”（{size}）。</translation>
    </message>
    <message>
      <source>Compacted from {before} to {after}.</source>
      <translation>已从 {before} 压缩到 {after}。</translation>
    </message>
    <message>
      <source>The previous versions are removed.</source>
      <translation>旧版本已删除。</translation>
    </message>
    <message>
      <source>Add</source>
      <translation>添加</translation>
    </message>
    <message>
      <source>{first} {second}</source>
      <translation>{first}{second}</translation>
    </message>
    <message>
      <source>; </source>
      <translation>；</translation>
    </message>
    <message>
      <source>Show all</source>
      <translation>全部显示</translation>
    </message>
    <message>
      <source>Exporting {name}</source>
      <translation>正在导出“{name}”</translation>
    </message>
    <message>
      <source>Export the library</source>
      <translation>导出资料库</translation>
    </message>
    <message>
      <source>Export the library: an empty folder</source>
      <translation>导出资料库：选择一个空文件夹</translation>
    </message>
    <message>
      <source>Another export is running.</source>
      <translation>另一个导出正在进行。</translation>
    </message>
    <message>
      <source>Copy the command that loads it</source>
      <translation>复制载入命令</translation>
    </message>
    <message>
      <source>This library is damaged: {what}. Nothing is written into it any more.</source>
      <translation>此资料库已损坏：{what}。不会再向其写入任何内容。</translation>
    </message>
    <message>
      <source>This library is open in another window too. Its changes are shown here after a few seconds, and you are asked before one of them is undone.</source>
      <translation>此资料库也在另一个窗口中打开。那里的更改几秒后会显示在这里，撤销其中任何一项之前会先询问您。</translation>
    </message>
    <message>
      <source>Check…</source>
      <translation>检查…</translation>
    </message>
    <message>
      <source>Restore a backup…</source>
      <translation>恢复备份…</translation>
    </message>
    <message>
      <source>The graph and the search indexes were rebuilt.</source>
      <translation>图谱和搜索索引已重新生成。</translation>
    </message>
    <message>
      <source>Read-only: this library can be read, searched and asked, not changed.</source>
      <translation>只读：此资料库可以阅读、搜索和提问，但不能更改。</translation>
    </message>
    <message>
      <source>References (*.bib *.bibtex *.ris *.json);;All files (*)</source>
      <translation>参考文献 (*.bib *.bibtex *.ris *.json);;所有文件 (*)</translation>
    </message>
    <message>
      <source>“{name}”</source>
      <translation>“{name}”</translation>
    </message>
    <message>
      <source>{name}: {parts}.</source>
      <translation>{name}：{parts}。</translation>
    </message>
    <message>
      <source>Add from Zotero: its data folder</source>
      <translation>从 Zotero 添加：它的数据文件夹</translation>
    </message>
    <message>
      <source>Import references</source>
      <translation>导入参考文献</translation>
    </message>
    <message>
      <source>{name}: nothing new.</source>
      <translation>{name}：没有新内容。</translation>
    </message>
    <message>
      <source>{what}: {n}</source>
      <translation>{what}：{n}</translation>
    </message>
    <message>
      <source>No Zotero folder was added to this library yet.</source>
      <translation>此资料库还没有添加过 Zotero 文件夹。</translation>
    </message>
    <message>
      <source>Add from Zotero…</source>
      <translation>从 Zotero 添加…</translation>
    </message>
    <message>
      <source>Recognising text on scanned pages</source>
      <translation>正在识别扫描页的文字</translation>
    </message>
    <message>
      <source>Recognising text: {title}</source>
      <translation>正在识别“{title}”的文字</translation>
    </message>
    <message>
      <source>The other pages are not read. “Read the other pages” in the library does it.</source>
      <translation>其余页面不再识别。在资料库中选择“识别其余页面”可以继续。</translation>
    </message>
    <message>
      <source>Text recognition is paused</source>
      <translation>文字识别已暂停</translation>
    </message>
    <message numerus="yes">
      <source>{n} reports written.</source>
      <translation>
        <numerusform>已写好 {n} 份报告。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} of them without the model.</source>
      <translation>
        <numerusform>其中 {n} 份未使用模型。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} pictures wait</source>
      <translation>
        <numerusform>{n} 张图片等待中</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} corrections written to “{file}”.</source>
      <translation>
        <numerusform>已将 {n} 项更正写入“{file}”。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} documents</source>
      <translation>
        <numerusform>{n} 个文档</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} files were not added: {files}.</source>
      <translation>
        <numerusform>有 {n} 个文件未添加：{files}。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} files are already in the library.</source>
      <translation>
        <numerusform>{n} 个文件已在资料库中。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Add {n} files ({size})?</source>
      <translation>
        <numerusform>要添加 {n} 个文件（{size}）吗？</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Titles, authors or years of {n} documents were found in their files.</source>
      <translation>
        <numerusform>已从文件中找到 {n} 个文档的标题、作者或年份。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} files of watched folders are no longer on the disk; what was read of it stays here.</source>
      <translation>
        <numerusform>监视文件夹中有 {n} 个文件已不在磁盘上；读取过的内容仍保留在这里。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} more</source>
      <translation>
        <numerusform>其余 {n} 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} files in watched folders have references. They are added only if you want it.</source>
      <translation>
        <numerusform>监视文件夹中有 {n} 个文件含有参考文献。只有您要求时才会添加。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} names with their connections and sentences written to “{file}”.</source>
      <translation>
        <numerusform>已将 {n} 个实体及其关系和句子写入“{file}”。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} new documents</source>
      <translation>
        <numerusform>{n} 个新文档</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} documents with new details</source>
      <translation>
        <numerusform>{n} 个文档有了新的详细信息</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} entries have no file</source>
      <translation>
        <numerusform>{n} 个条目没有文件</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} documents unchanged</source>
      <translation>
        <numerusform>{n} 个文档没有变化</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} entries without a file and without a document of the library: {titles}</source>
      <translation>
        <numerusform>{n} 个条目既没有文件，资料库中也没有对应的文档：{titles}</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} linked files are not there, or of a kind that is not read: {places}</source>
      <translation>
        <numerusform>{n} 个链接的文件不存在，或其类型不能读取：{places}</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} documents stay in the trash</source>
      <translation>
        <numerusform>{n} 个文档留在回收站</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} highlights and notes follow when their documents are read</source>
      <translation>
        <numerusform>{n} 条高亮和笔记将在其文档读取后加入</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} highlights and notes changed as in Zotero</source>
      <translation>
        <numerusform>{n} 处高亮和笔记已按 Zotero 更改</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} highlights and notes deleted as in Zotero</source>
      <translation>
        <numerusform>{n} 处高亮和笔记已按 Zotero 删除</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} highlights and notes are different in Zotero and stay, because you changed them</source>
      <translation>
        <numerusform>{n} 处高亮和笔记与 Zotero 中的不同，因为您修改过，所以保留</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} highlights were not found in the text; each is a note at its page</source>
      <translation>
        <numerusform>{n} 条高亮在文本中没有找到，已作为笔记放在所在的页</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} pages wait</source>
      <translation>
        <numerusform>{n} 页在等待</numerusform>
      </translation>
    </message>
  </context>
</TS>

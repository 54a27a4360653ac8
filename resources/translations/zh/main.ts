<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>it was ended by the system, or the power failed</source>
      <translation>被系统结束，或者断电</translation>
    </message>
    <message>
      <source>Inkgraph ended unexpectedly last time: {reason}. Your library is safe.</source>
      <translation>Inkgraph 上次意外退出：{reason}。资料库完好无损。</translation>
    </message>
    <message>
      <source>Show log</source>
      <translation>查看日志</translation>
    </message>
    <message>
      <source>{done} of {total} written</source>
      <translation>已写 {done} / {total}</translation>
    </message>
    <message>
      <source>Writing reports</source>
      <translation>正在撰写报告</translation>
    </message>
    <message>
      <source>Writing is stopped. What is written stays.</source>
      <translation>撰写已停止。已写的内容会保留。</translation>
    </message>
    <message>
      <source>Writing is paused</source>
      <translation>撰写已暂停</translation>
    </message>
    <message>
      <source>What is written stays.</source>
      <translation>已写的内容会保留。</translation>
    </message>
    <message>
      <source>{said} {failed}</source>
      <translation>{said}{failed}</translation>
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
      <source>Apply corrections</source>
      <translation>应用更正</translation>
    </message>
    <message>
      <source>Corrections of “{file}” applied</source>
      <translation>已应用“{file}”中的更正</translation>
    </message>
    <message>
      <source>There is no chat model.</source>
      <translation>没有对话模型。</translation>
    </message>
    <message>
      <source>Get one on the Models screen.</source>
      <translation>请到“模型”页面获取一个。</translation>
    </message>
    <message>
      <source>Inkgraph has read what was added.</source>
      <translation>Inkgraph 已读完新添加的内容。</translation>
    </message>
    <message>
      <source>Inkgraph has enriched as asked.</source>
      <translation>Inkgraph 已按要求完成精读。</translation>
    </message>
    <message>
      <source>Paused</source>
      <translation>已暂停</translation>
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
      <source>“{name}” is already here as “{title}”.</source>
      <translation>“{name}”已在资料库中，标题为“{title}”。</translation>
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
      <source>Add</source>
      <translation>添加</translation>
    </message>
    <message>
      <source>Inkgraph can't read this kind of file.</source>
      <translation>Inkgraph 无法读取这种文件。</translation>
    </message>
    <message>
      <source>Show all</source>
      <translation>全部显示</translation>
    </message>
    <message>
      <source>Show</source>
      <translation>显示</translation>
    </message>
    <message>
      <source>Kept. What is enriched already stays until it is enriched again.</source>
      <translation>已保存。已精读的内容在再次精读前保持不变。</translation>
    </message>
    <message>
      <source>the library</source>
      <translation>资料库</translation>
    </message>
    <message>
      <source>this document</source>
      <translation>这个文档</translation>
    </message>
    <message>
      <source>Enriching needs a chat model.</source>
      <translation>精读需要对话模型。</translation>
    </message>
    <message>
      <source>Enriching: {time}.</source>
      <translation>精读：{time}。</translation>
    </message>
    <message>
      <source>Waits until reading is done</source>
      <translation>等待读取完成</translation>
    </message>
    <message>
      <source>There is nothing left to enrich there.</source>
      <translation>那里没有需要精读的内容了。</translation>
    </message>
    <message>
      <source>Enriching is stopped. What is done stays.</source>
      <translation>精读已停止。已完成的内容会保留。</translation>
    </message>
    <message>
      <source>Enriching is paused</source>
      <translation>精读已暂停</translation>
    </message>
    <message>
      <source>What is done stays.</source>
      <translation>已完成的内容会保留。</translation>
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
      <translation>正在导入 {name}</translation>
    </message>
    <message>
      <source>Building the graph</source>
      <translation>正在构建图谱</translation>
    </message>
    <message>
      <source>What came in</source>
      <translation>导入结果</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
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
      <source>One graph at a time: another one is coming in.</source>
      <translation>一次只能导入一个图谱：另一个正在导入。</translation>
    </message>
    <message>
      <source>Details</source>
      <translation>详细信息</translation>
    </message>
    <message>
      <source>Reading {title}</source>
      <translation>读取《{title}》</translation>
    </message>
    <message>
      <source>Reading</source>
      <translation>正在读取</translation>
    </message>
    <message>
      <source>Finding names in {title}</source>
      <translation>查找名称：《{title}》</translation>
    </message>
    <message>
      <source>Finding names</source>
      <translation>正在查找名称</translation>
    </message>
    <message>
      <source>Preparing search by meaning</source>
      <translation>正在准备按语义搜索</translation>
    </message>
    <message>
      <source>Go to the library</source>
      <translation>前往资料库</translation>
    </message>
    <message>
      <source>Go to</source>
      <translation>前往</translation>
    </message>
    <message>
      <source>Go to the graph</source>
      <translation>前往图谱</translation>
    </message>
    <message>
      <source>Go to names</source>
      <translation>前往名称</translation>
    </message>
    <message>
      <source>Go to the merge desk</source>
      <translation>前往合并台</translation>
    </message>
    <message>
      <source>Go to chat</source>
      <translation>前往对话</translation>
    </message>
    <message>
      <source>Go to communities</source>
      <translation>前往社群</translation>
    </message>
    <message>
      <source>Go to models</source>
      <translation>前往模型</translation>
    </message>
    <message>
      <source>Settings</source>
      <translation>设置</translation>
    </message>
    <message>
      <source>Search everything</source>
      <translation>搜索全部</translation>
    </message>
    <message>
      <source>Add files…</source>
      <translation>添加文件…</translation>
    </message>
    <message>
      <source>Library</source>
      <translation>资料库</translation>
    </message>
    <message>
      <source>Add folder…</source>
      <translation>添加文件夹…</translation>
    </message>
    <message>
      <source>Import a graph: folder of LightRAG or GraphRAG…</source>
      <translation>导入图谱：LightRAG 或 GraphRAG 文件夹…</translation>
    </message>
    <message>
      <source>Import a graph: JSON or GraphML file…</source>
      <translation>导入图谱：JSON 或 GraphML 文件…</translation>
    </message>
    <message>
      <source>Enrich the library…</source>
      <translation>精读资料库…</translation>
    </message>
    <message>
      <source>Enrichment</source>
      <translation>精读</translation>
    </message>
    <message>
      <source>Pause or go on enriching</source>
      <translation>暂停或继续精读</translation>
    </message>
    <message>
      <source>How to enrich…</source>
      <translation>精读方式…</translation>
    </message>
    <message>
      <source>Suggest how to enrich, from my library…</source>
      <translation>根据我的资料库建议精读方式…</translation>
    </message>
    <message>
      <source>Open another library…</source>
      <translation>打开其他资料库…</translation>
    </message>
    <message>
      <source>New library…</source>
      <translation>新建资料库…</translation>
    </message>
    <message>
      <source>This library: size, backup, compact…</source>
      <translation>当前资料库：大小、备份、压缩整理…</translation>
    </message>
    <message>
      <source>Watched folders…</source>
      <translation>监视文件夹…</translation>
    </message>
    <message>
      <source>New chat</source>
      <translation>新对话</translation>
    </message>
    <message>
      <source>Chat</source>
      <translation>对话</translation>
    </message>
    <message>
      <source>Undo the last change</source>
      <translation>撤销上一步更改</translation>
    </message>
    <message>
      <source>Edit</source>
      <translation>编辑</translation>
    </message>
    <message>
      <source>Redo the last change</source>
      <translation>重做上一步更改</translation>
    </message>
    <message>
      <source>History of changes…</source>
      <translation>更改历史…</translation>
    </message>
    <message>
      <source>Add a name…</source>
      <translation>添加名称…</translation>
    </message>
    <message>
      <source>Export corrections…</source>
      <translation>导出更正…</translation>
    </message>
    <message>
      <source>Apply corrections from a file…</source>
      <translation>从文件应用更正…</translation>
    </message>
    <message>
      <source>Show or hide the sidebar</source>
      <translation>显示或隐藏侧栏</translation>
    </message>
    <message>
      <source>Window</source>
      <translation>窗口</translation>
    </message>
    <message>
      <source>Show or hide the facts</source>
      <translation>显示或隐藏检查面板</translation>
    </message>
    <message>
      <source>Show or hide the reader</source>
      <translation>显示或隐藏阅读器</translation>
    </message>
    <message>
      <source>Next area</source>
      <translation>下一个区域</translation>
    </message>
    <message>
      <source>Area before</source>
      <translation>上一个区域</translation>
    </message>
    <message>
      <source>Do what the message offers</source>
      <translation>执行消息中的操作</translation>
    </message>
    <message>
      <source>Full screen</source>
      <translation>全屏</translation>
    </message>
    <message>
      <source>Restart Inkgraph</source>
      <translation>重新启动 Inkgraph</translation>
    </message>
    <message>
      <source>Quit</source>
      <translation>退出</translation>
    </message>
    <message>
      <source>Light theme</source>
      <translation>浅色主题</translation>
    </message>
    <message>
      <source>Dark theme</source>
      <translation>深色主题</translation>
    </message>
    <message>
      <source>Theme of the system</source>
      <translation>跟随系统主题</translation>
    </message>
    <message>
      <source>What Inkgraph may touch</source>
      <translation>Inkgraph 会接触什么</translation>
    </message>
    <message>
      <source>Help</source>
      <translation>帮助</translation>
    </message>
    <message>
      <source>Keyboard shortcuts</source>
      <translation>键盘快捷键</translation>
    </message>
    <message>
      <source>Unpin</source>
      <translation>取消固定</translation>
    </message>
    <message>
      <source>Pin to the top</source>
      <translation>置顶</translation>
    </message>
    <message>
      <source>Search in chats</source>
      <translation>搜索对话</translation>
    </message>
    <message>
      <source>Search in all chats</source>
      <translation>在所有对话中搜索</translation>
    </message>
    <message>
      <source>Chats</source>
      <translation>对话</translation>
    </message>
    <message>
      <source>Rename the chosen chat</source>
      <translation>重命名所选对话</translation>
    </message>
    <message>
      <source>Delete the chosen chat</source>
      <translation>删除所选对话</translation>
    </message>
    <message>
      <source>Open the chosen chat</source>
      <translation>打开所选对话</translation>
    </message>
    <message>
      <source>No chat has these words.</source>
      <translation>没有对话包含这些词。</translation>
    </message>
    <message>
      <source>Rename…</source>
      <translation>重命名…</translation>
    </message>
    <message>
      <source>Delete</source>
      <translation>删除</translation>
    </message>
    <message>
      <source>New folder…</source>
      <translation>新建文件夹…</translation>
    </message>
    <message>
      <source>New folder</source>
      <translation>新建文件夹</translation>
    </message>
    <message>
      <source>Name</source>
      <translation>名称</translation>
    </message>
    <message>
      <source>Rename</source>
      <translation>重命名</translation>
    </message>
    <message>
      <source>Title</source>
      <translation>标题</translation>
    </message>
    <message>
      <source>Rename the folder</source>
      <translation>重命名文件夹</translation>
    </message>
    <message>
      <source>Rename the folder…</source>
      <translation>重命名文件夹…</translation>
    </message>
    <message>
      <source>Dissolve the folder</source>
      <translation>解散文件夹</translation>
    </message>
    <message>
      <source>Move to folder</source>
      <translation>移到文件夹</translation>
    </message>
    <message>
      <source>No folder</source>
      <translation>不放入文件夹</translation>
    </message>
    <message>
      <source>Deleted the chat “{title}”</source>
      <translation>已删除对话“{title}”</translation>
    </message>
    <message>
      <source>Undo</source>
      <translation>撤销</translation>
    </message>
    <message>
      <source>Graph</source>
      <translation>图谱</translation>
    </message>
    <message>
      <source>Names</source>
      <translation>名称</translation>
    </message>
    <message>
      <source>Merge desk</source>
      <translation>合并台</translation>
    </message>
    <message>
      <source>Communities</source>
      <translation>社群</translation>
    </message>
    <message>
      <source>Models</source>
      <translation>模型</translation>
    </message>
    <message>
      <source>Reader</source>
      <translation>阅读器</translation>
    </message>
    <message>
      <source>{menu}: {entry}</source>
      <translation>{menu}：{entry}</translation>
    </message>
    <message>
      <source>Drop to add to the library</source>
      <translation>松开即可添加到资料库</translation>
    </message>
    <message>
      <source>Search keys and what they do</source>
      <translation>搜索按键及其作用</translation>
    </message>
    <message>
      <source>No key does that. Search for it with Ctrl+K.</source>
      <translation>没有对应的按键。可以用 Ctrl+K 搜索。</translation>
    </message>
    <message>
      <source>What has no key of its own is found with Ctrl+K.</source>
      <translation>没有专用按键的功能可以用 Ctrl+K 找到。</translation>
    </message>
    <message>
      <source>Inkgraph libraries (*.inkgraph)</source>
      <translation>Inkgraph 资料库 (*.inkgraph)</translation>
    </message>
    <message>
      <source>Open a library</source>
      <translation>打开资料库</translation>
    </message>
    <message>
      <source>New library</source>
      <translation>新建资料库</translation>
    </message>
    <message>
      <source>New library.inkgraph</source>
      <translation>新资料库.inkgraph</translation>
    </message>
    <message>
      <source>Something went wrong in Inkgraph: {problem}</source>
      <translation>Inkgraph 出了点问题：{problem}</translation>
    </message>
    <message>
      <source>Close this message</source>
      <translation>关闭这条消息</translation>
    </message>
    <message>
      <source>Copy report</source>
      <translation>复制报告</translation>
    </message>
    <message>
      <source>Search names, documents, chats, commands and settings</source>
      <translation>搜索名称、文档、对话、命令和设置</translation>
    </message>
    <message>
      <source>Results</source>
      <translation>结果</translation>
    </message>
    <message>
      <source>Nothing found</source>
      <translation>没有找到</translation>
    </message>
    <message>
      <source>Documents</source>
      <translation>文档</translation>
    </message>
    <message>
      <source>Commands</source>
      <translation>命令</translation>
    </message>
    <message>
      <source>Used lately</source>
      <translation>最近使用</translation>
    </message>
    <message>
      <source>In chats</source>
      <translation>对话内容</translation>
    </message>
    <message>
      <source>Your documents, questions and answers stay on this computer. Reading, searching and answering use no network. Only “Install” on the Models screen fetches something, when you press it. A link in an answer opens in your browser, after you agree.</source>
      <translation>你的文档、问题和回答都留在这台电脑上。读取、搜索和回答都不使用网络。只有在“模型”页面按下“安装”时才会下载内容。回答中的链接会在你同意后用浏览器打开。</translation>
    </message>
    <message>
      <source>This library</source>
      <translation>当前资料库</translation>
    </message>
    <message>
      <source>Log</source>
      <translation>日志</translation>
    </message>
    <message>
      <source>Copy</source>
      <translation>复制</translation>
    </message>
    <message>
      <source>Open folder</source>
      <translation>打开文件夹</translation>
    </message>
    <message>
      <source>What happened last time</source>
      <translation>上次发生了什么</translation>
    </message>
    <message>
      <source>What Inkgraph writes</source>
      <translation>Inkgraph 写入的位置</translation>
    </message>
    <message>
      <source>Switch library</source>
      <translation>切换资料库</translation>
    </message>
    <message>
      <source>Offline</source>
      <translation>离线</translation>
    </message>
    <message>
      <source>Nothing leaves this computer. Show what is touched.</source>
      <translation>没有任何内容离开这台电脑。查看会接触什么。</translation>
    </message>
    <message>
      <source>Hide the sidebar</source>
      <translation>隐藏侧栏</translation>
    </message>
    <message>
      <source>Show the sidebar</source>
      <translation>显示侧栏</translation>
    </message>
    <message>
      <source>Pause</source>
      <translation>暂停</translation>
    </message>
    <message>
      <source>Go on</source>
      <translation>继续</translation>
    </message>
    <message>
      <source>Stop</source>
      <translation>停止</translation>
    </message>
    <message>
      <source>Pause enriching</source>
      <translation>暂停精读</translation>
    </message>
    <message>
      <source>Go on enriching</source>
      <translation>继续精读</translation>
    </message>
    <message>
      <source>Stop enriching</source>
      <translation>停止精读</translation>
    </message>
    <message>
      <source>Pause writing</source>
      <translation>暂停撰写</translation>
    </message>
    <message>
      <source>Go on writing</source>
      <translation>继续撰写</translation>
    </message>
    <message>
      <source>Stop writing</source>
      <translation>停止撰写</translation>
    </message>
    <message>
      <source>Pause importing</source>
      <translation>暂停导入</translation>
    </message>
    <message>
      <source>Go on importing</source>
      <translation>继续导入</translation>
    </message>
    <message>
      <source>Stop importing</source>
      <translation>停止导入</translation>
    </message>
    <message>
      <source>starting</source>
      <translation>正在开始</translation>
    </message>
    <message>
      <source>Nothing is lost.</source>
      <translation>不会丢失任何内容。</translation>
    </message>
    <message numerus="yes">
      <source>{n} reports are written.</source>
      <translation>
        <numerusform>已撰写 {n} 份报告。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} of them without the model’s words.</source>
      <translation>
        <numerusform>其中 {n} 份没有模型的文字。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} corrections written to “{file}”.</source>
      <translation>
        <numerusform>已将 {n} 项更正写入“{file}”。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>That is {n} files, {size}. Add all of it?</source>
      <translation>
        <numerusform>共 {n} 个文件，{size}。要全部添加吗？</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} files of watched folders are no longer on the disk; what was read of it stays here.</source>
      <translation>
        <numerusform>监视文件夹中有 {n} 个文件已不在磁盘上；读取过的内容仍保留在这里。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} files are here already.</source>
      <translation>
        <numerusform>{n} 个文件已在资料库中。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} files of kinds that can't be read were left out.</source>
      <translation>
        <numerusform>已略过 {n} 个无法读取的文件。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} documents</source>
      <translation>
        <numerusform>{n} 个文档</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{first} And {n} more.</source>
      <translation>
        <numerusform>{first} 另有 {n} 个。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>and {n} more</source>
      <translation>
        <numerusform>还有 {n} 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} mentions</source>
      <translation>
        <numerusform>{n} 处提及</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} messages</source>
      <translation>
        <numerusform>{n} 条消息</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} done</source>
      <translation>
        <numerusform>已完成 {n} 项</numerusform>
      </translation>
    </message>
  </context>
</TS>

<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>Go to</source>
      <translation>前往</translation>
    </message>
    <message>
      <source>Library</source>
      <translation>资料库</translation>
    </message>
    <message>
      <source>Enrichment</source>
      <translation>深度提取</translation>
    </message>
    <message>
      <source>Chat</source>
      <translation>对话</translation>
    </message>
    <message>
      <source>Edit</source>
      <translation>编辑</translation>
    </message>
    <message>
      <source>Documents</source>
      <translation>文档</translation>
    </message>
    <message>
      <source>Window</source>
      <translation>窗口</translation>
    </message>
    <message>
      <source>Help</source>
      <translation>帮助</translation>
    </message>
    <message>
      <source>Graph</source>
      <translation>图谱</translation>
    </message>
    <message>
      <source>Names</source>
      <translation>实体</translation>
    </message>
    <message>
      <source>Merge desk</source>
      <translation>合并建议</translation>
    </message>
    <message>
      <source>Communities</source>
      <translation>社群</translation>
    </message>
    <message>
      <source>Highlights</source>
      <translation>高亮</translation>
    </message>
    <message>
      <source>Models</source>
      <translation>模型</translation>
    </message>
    <message>
      <source>Evaluation</source>
      <translation>评测</translation>
    </message>
    <message>
      <source>Settings</source>
      <translation>设置</translation>
    </message>
    <message>
      <source>Reader</source>
      <translation>阅读器</translation>
    </message>
    <message>
      <source>Go to the library</source>
      <translation>前往资料库</translation>
    </message>
    <message>
      <source>Go to the graph</source>
      <translation>前往图谱</translation>
    </message>
    <message>
      <source>Go to names</source>
      <translation>前往实体</translation>
    </message>
    <message>
      <source>Go to the merge desk</source>
      <translation>前往合并建议</translation>
    </message>
    <message>
      <source>Go to communities</source>
      <translation>前往社群</translation>
    </message>
    <message>
      <source>Go to chat</source>
      <translation>前往对话</translation>
    </message>
    <message>
      <source>Go to highlights</source>
      <translation>前往高亮</translation>
    </message>
    <message>
      <source>Go to models</source>
      <translation>前往模型</translation>
    </message>
    <message>
      <source>Go to the evaluation</source>
      <translation>前往评测</translation>
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
      <source>Add folder…</source>
      <translation>添加文件夹…</translation>
    </message>
    <message>
      <source>Import graph from LightRAG or GraphRAG…</source>
      <translation>导入 LightRAG 或 GraphRAG 图谱…</translation>
    </message>
    <message>
      <source>Import graph from JSON or GraphML…</source>
      <translation>导入 JSON 或 GraphML 图谱…</translation>
    </message>
    <message>
      <source>Add from Zotero…</source>
      <translation>从 Zotero 添加…</translation>
    </message>
    <message>
      <source>Update from Zotero</source>
      <translation>从 Zotero 更新</translation>
    </message>
    <message>
      <source>Import references…</source>
      <translation>导入参考文献…</translation>
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
      <source>Library maintenance…</source>
      <translation>资料库维护…</translation>
    </message>
    <message>
      <source>Back up now</source>
      <translation>立即备份</translation>
    </message>
    <message>
      <source>Restore a backup…</source>
      <translation>恢复备份…</translation>
    </message>
    <message>
      <source>Watched folders…</source>
      <translation>监视文件夹…</translation>
    </message>
    <message>
      <source>Export the library…</source>
      <translation>导出资料库…</translation>
    </message>
    <message>
      <source>Enrich the library…</source>
      <translation>深度提取资料库…</translation>
    </message>
    <message>
      <source>Pause or resume enrichment</source>
      <translation>暂停或继续深度提取</translation>
    </message>
    <message>
      <source>Enrichment settings…</source>
      <translation>深度提取设置…</translation>
    </message>
    <message>
      <source>Suggest enrichment settings…</source>
      <translation>推荐深度提取设置…</translation>
    </message>
    <message>
      <source>Undo the last change</source>
      <translation>撤销上一步更改</translation>
    </message>
    <message>
      <source>Redo the last change</source>
      <translation>重做上一步更改</translation>
    </message>
    <message>
      <source>Find a quotation…</source>
      <translation>查找引文…</translation>
    </message>
    <message>
      <source>History of changes…</source>
      <translation>更改历史…</translation>
    </message>
    <message>
      <source>Add name…</source>
      <translation>添加实体…</translation>
    </message>
    <message>
      <source>Export corrections…</source>
      <translation>导出更正…</translation>
    </message>
    <message>
      <source>Import corrections…</source>
      <translation>导入更正…</translation>
    </message>
    <message>
      <source>Show or hide the reader beside</source>
      <translation>显示或隐藏旁边的阅读器</translation>
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
      <source>Close tab</source>
      <translation>关闭标签页</translation>
    </message>
    <message>
      <source>Reopen closed tab</source>
      <translation>重新打开关闭的标签页</translation>
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
      <source>Move tab to a new window</source>
      <translation>将标签页移到新窗口</translation>
    </message>
    <message>
      <source>Show or hide the sidebar</source>
      <translation>显示或隐藏侧栏</translation>
    </message>
    <message>
      <source>Show or hide the inspector</source>
      <translation>显示或隐藏信息面板</translation>
    </message>
    <message>
      <source>Next area</source>
      <translation>下一个区域</translation>
    </message>
    <message>
      <source>Previous area</source>
      <translation>上一个区域</translation>
    </message>
    <message>
      <source>Run the message's action</source>
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
      <source>Follow system theme</source>
      <translation>跟随系统主题</translation>
    </message>
    <message>
      <source>{menu}: {entry}</source>
      <translation>{menu}：{entry}</translation>
    </message>
    <message>
      <source>New chat</source>
      <translation>新对话</translation>
    </message>
    <message>
      <source>Privacy</source>
      <translation>隐私</translation>
    </message>
    <message>
      <source>Keyboard shortcuts</source>
      <translation>键盘快捷键</translation>
    </message>
    <message>
      <source>Report a problem…</source>
      <translation>报告问题…</translation>
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
      <source>Open the selected chat</source>
      <translation>打开所选对话</translation>
    </message>
    <message>
      <source>No chats found.</source>
      <translation>没有找到对话。</translation>
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
      <source>New folder</source>
      <translation>新建文件夹</translation>
    </message>
    <message>
      <source>Name</source>
      <translation>名称</translation>
    </message>
    <message>
      <source>Create</source>
      <translation>创建</translation>
    </message>
    <message>
      <source>New folder…</source>
      <translation>新建文件夹…</translation>
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
      <source>Rename the selected chat</source>
      <translation>重命名所选对话</translation>
    </message>
    <message>
      <source>Delete the selected chat</source>
      <translation>删除所选对话</translation>
    </message>
    <message>
      <source>Rename folder</source>
      <translation>重命名文件夹</translation>
    </message>
    <message>
      <source>Rename folder…</source>
      <translation>重命名文件夹…</translation>
    </message>
    <message>
      <source>Remove folder, keep its chats</source>
      <translation>移除文件夹，保留其中的对话</translation>
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
      <source>Commands</source>
      <translation>命令</translation>
    </message>
    <message>
      <source>p. {page}</source>
      <translation>第 {page} 页</translation>
    </message>
    <message>
      <source>Picture with “{words}”</source>
      <translation>含有“{words}”的图片</translation>
    </message>
    <message>
      <source>Show the differences…</source>
      <translation>查看差异…</translation>
    </message>
    <message>
      <source>Find this quotation…</source>
      <translation>查找这段引文…</translation>
    </message>
    <message>
      <source>Quoted from</source>
      <translation>引自</translation>
    </message>
    <message>
      <source>Similar passages</source>
      <translation>相近的段落</translation>
    </message>
    <message>
      <source>Quotation</source>
      <translation>引文</translation>
    </message>
    <message>
      <source>Search names, documents, pictures, chats, commands; or paste a quotation</source>
      <translation>搜索实体、文档、图片、对话、命令；或粘贴一段引文</translation>
    </message>
    <message>
      <source>Results</source>
      <translation>结果</translation>
    </message>
    <message>
      <source>Pictures</source>
      <translation>图片</translation>
    </message>
    <message>
      <source>In chats</source>
      <translation>对话内容</translation>
    </message>
    <message>
      <source>Nothing found</source>
      <translation>没有找到</translation>
    </message>
    <message>
      <source>Recent</source>
      <translation>最近使用</translation>
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
      <source>Switch library</source>
      <translation>切换资料库</translation>
    </message>
    <message>
      <source>Search shortcuts</source>
      <translation>搜索快捷键</translation>
    </message>
    <message>
      <source>No shortcut found. Try Ctrl+K.</source>
      <translation>没有找到快捷键。请试试 Ctrl+K。</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Ctrl+K finds the rest.</source>
      <translation>其余的可用 Ctrl+K 查找。</translation>
    </message>
    <message>
      <source>Counted when no document is being read</source>
      <translation>读取完文档后计数</translation>
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
      <source>Pause enriching</source>
      <translation>暂停深度提取</translation>
    </message>
    <message>
      <source>Resume enriching</source>
      <translation>继续深度提取</translation>
    </message>
    <message>
      <source>Stop enriching</source>
      <translation>停止深度提取</translation>
    </message>
    <message>
      <source>Pause writing</source>
      <translation>暂停撰写</translation>
    </message>
    <message>
      <source>Resume writing</source>
      <translation>继续撰写</translation>
    </message>
    <message>
      <source>Stop writing</source>
      <translation>停止撰写</translation>
    </message>
    <message>
      <source>Pause reading pages</source>
      <translation>暂停识别页面</translation>
    </message>
    <message>
      <source>Resume reading pages</source>
      <translation>继续识别页面</translation>
    </message>
    <message>
      <source>Don't read the other pages</source>
      <translation>不再识别其余页面</translation>
    </message>
    <message>
      <source>Pause describing pictures</source>
      <translation>暂停描述图片</translation>
    </message>
    <message>
      <source>Resume describing pictures</source>
      <translation>继续描述图片</translation>
    </message>
    <message>
      <source>Don't describe the other pictures</source>
      <translation>不再描述其余图片</translation>
    </message>
    <message>
      <source>Pause importing</source>
      <translation>暂停导入</translation>
    </message>
    <message>
      <source>Resume importing</source>
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
      <source>Offline</source>
      <translation>离线</translation>
    </message>
    <message>
      <source>Nothing leaves this computer. Show details.</source>
      <translation>所有内容都不会离开本机。点击查看详情。</translation>
    </message>
    <message>
      <source>Work is running</source>
      <translation>有任务正在进行</translation>
    </message>
    <message>
      <source>Show the words of the sidebar</source>
      <translation>展开侧栏文字</translation>
    </message>
    <message>
      <source>Show only icons here</source>
      <translation>此处只显示图标</translation>
    </message>
    <message>
      <source>{site} (away)</source>
      <translation>{site}（已断开）</translation>
    </message>
    <message>
      <source>{site} can't be reached. Models on this computer are used until it is back.</source>
      <translation>无法连接 {site}。在它恢复之前，使用本机上的模型。</translation>
    </message>
    <message>
      <source>Questions and passages of this library are sent to {site}. Show details.</source>
      <translation>此资料库的问题和段落会发送到 {site}。点击查看详情。</translation>
    </message>
    <message>
      <source>Nothing is lost.</source>
      <translation>不会丢失任何内容。</translation>
    </message>
    <message>
      <source>Encrypted</source>
      <translation>已加密</translation>
    </message>
    <message numerus="yes">
      <source>and {n} more</source>
      <translation>
        <numerusform>还有 {n} 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} messages</source>
      <translation>
        <numerusform>{n} 条消息</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} mentions</source>
      <translation>
        <numerusform>{n} 处提及</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} highlights, bookmarks and notes</source>
      <translation>
        <numerusform>{n} 处高亮、书签和笔记</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} documents</source>
      <translation>
        <numerusform>{n} 个文档</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} names</source>
      <translation>
        <numerusform>{n} 个实体</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} suggestions to merge names</source>
      <translation>
        <numerusform>{n} 条实体合并建议</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} communities</source>
      <translation>
        <numerusform>{n} 个社群</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} chats</source>
      <translation>
        <numerusform>{n} 个对话</numerusform>
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

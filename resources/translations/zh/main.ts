<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>Encrypting “{name}”…</source>
      <translation>正在加密“{name}”…</translation>
    </message>
    <message>
      <source>Decrypting “{name}”…</source>
      <translation>正在解密“{name}”…</translation>
    </message>
    <message>
      <source>it was ended by the system or another program</source>
      <translation>它被系统或其他程序终止</translation>
    </message>
    <message>
      <source>Inkgraph ended unexpectedly last time: {reason}. Your library is safe.</source>
      <translation>Inkgraph 上次意外退出：{reason}。资料库完好无损。</translation>
    </message>
    <message>
      <source>Show report</source>
      <translation>查看报告</translation>
    </message>
    <message>
      <source>Opening “{name}”…</source>
      <translation>正在打开“{name}”…</translation>
    </message>
    <message>
      <source>“{name}” is encrypted.</source>
      <translation>“{name}”已加密。</translation>
    </message>
    <message>
      <source>“{name}” is decrypted.</source>
      <translation>“{name}”已解密。</translation>
    </message>
    <message>
      <source>That window does not answer.</source>
      <translation>那个窗口没有响应。</translation>
    </message>
    <message>
      <source>Your documents, questions and answers stay on this computer. Indexing, searching and answering use no network. Only the Models screen fetches something: a model that you install, or one from a link that you paste. Other links open in your browser, after you agree. A server with models is used only for libraries for which you turn it on in the settings.</source>
      <translation>您的文档、问题和回答都留在本机上。建立索引、搜索和回答不使用网络。只有“模型”页面会下载内容：您安装的模型，或您粘贴的链接所指的模型。其他链接经您同意后在浏览器中打开。只有在设置中为某个资料库开启了模型服务器，才会使用它。</translation>
    </message>
    <message>
      <source>The report contains only versions, this computer and the log; none of your texts, names, questions or file names. Nothing is sent: copy it and send it yourself.</source>
      <translation>报告只包含版本、本机信息和日志，不含您的文本、实体、问题或文件名。报告不会自动发送：请复制后自行发送。</translation>
    </message>
    <message>
      <source>This library uses models on {site}, as you set it.</source>
      <translation>按照您的设置，此资料库使用 {site} 上的模型。</translation>
    </message>
    <message>
      <source>Nothing else leaves this computer, and answers come from no other address.</source>
      <translation>其他内容都不会离开本机，回答也不来自其他地址。</translation>
    </message>
    <message>
      <source>Privacy</source>
      <translation>隐私</translation>
    </message>
    <message>
      <source>Report</source>
      <translation>报告</translation>
    </message>
    <message>
      <source>Report a problem</source>
      <translation>问题报告</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>This library</source>
      <translation>此资料库</translation>
    </message>
    <message>
      <source>Models</source>
      <translation>模型</translation>
    </message>
    <message>
      <source>Settings</source>
      <translation>设置</translation>
    </message>
    <message>
      <source>What Inkgraph writes</source>
      <translation>Inkgraph 写入的位置</translation>
    </message>
    <message>
      <source>Server settings…</source>
      <translation>服务器设置…</translation>
    </message>
    <message>
      <source>Copy report</source>
      <translation>复制报告</translation>
    </message>
    <message>
      <source>Open log folder</source>
      <translation>打开日志文件夹</translation>
    </message>
    <message>
      <source>Sent there: {what}</source>
      <translation>发送到那里的内容：{what}</translation>
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
      <source>Library</source>
      <translation>资料库</translation>
    </message>
    <message>
      <source>Another window or program changed this library: {edit}</source>
      <translation>另一个窗口或程序更改了此资料库：{edit}</translation>
    </message>
    <message>
      <source>The file of this library is no longer in “{folder}”. Put it back before you close the window or change anything.</source>
      <translation>此资料库的文件已不在“{folder}”中。关闭窗口或修改内容之前，请把它放回原处。</translation>
    </message>
    <message>
      <source>The file of this library is back.</source>
      <translation>此资料库的文件已放回原处。</translation>
    </message>
    <message>
      <source>Paused while answering</source>
      <translation>回答问题时暂停</translation>
    </message>
    <message>
      <source>The added documents are indexed.</source>
      <translation>添加的文档已建立索引。</translation>
    </message>
    <message>
      <source>Enrichment is finished.</source>
      <translation>深度提取已完成。</translation>
    </message>
    <message>
      <source>Paused</source>
      <translation>已暂停</translation>
    </message>
  </context>
</TS>

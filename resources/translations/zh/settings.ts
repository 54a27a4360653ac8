<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>tokens</source>
      <translation>词元</translation>
    </message>
    <message>
      <source>days</source>
      <translation>天</translation>
    </message>
    <message>
      <source>threads</source>
      <translation>个线程</translation>
    </message>
    <message>
      <source>layers</source>
      <translation>层</translation>
    </message>
    <message>
      <source>For documents that are read from now on.</source>
      <translation>对今后读取的文档生效。</translation>
    </message>
    <message>
      <source>After a restart.</source>
      <translation>重新启动后生效。</translation>
    </message>
    <message>
      <source>On</source>
      <translation>开启</translation>
    </message>
    <message>
      <source>Choose…</source>
      <translation>选择…</translation>
    </message>
    <message>
      <source>Back to the usual</source>
      <translation>恢复默认</translation>
    </message>
    <message>
      <source>Reset: {name}</source>
      <translation>恢复默认：{name}</translation>
    </message>
    <message>
      <source>{help} {applies}</source>
      <translation>{help}{applies}</translation>
    </message>
    <message>
      <source>{path}, {size}</source>
      <translation>{path}，{size}</translation>
    </message>
    <message>
      <source>Restart now</source>
      <translation>立即重新启动</translation>
    </message>
    <message>
      <source>Opens this library again; work goes on where it was</source>
      <translation>重新打开当前资料库，工作从原处继续</translation>
    </message>
    <message>
      <source>Settings</source>
      <translation>设置</translation>
    </message>
    <message>
      <source>Search settings</source>
      <translation>搜索设置</translation>
    </message>
    <message>
      <source>For experts</source>
      <translation>专家选项</translation>
    </message>
    <message>
      <source>Show the settings that are seldom needed as well</source>
      <translation>同时显示不常用的设置</translation>
    </message>
    <message>
      <source>Set everything back to the usual…</source>
      <translation>全部恢复默认…</translation>
    </message>
    <message>
      <source>Sections</source>
      <translation>分区</translation>
    </message>
    <message>
      <source>No setting has these words</source>
      <translation>没有包含这些词的设置</translation>
    </message>
    <message>
      <source>Try fewer, or other words.</source>
      <translation>请减少或更换关键词。</translation>
    </message>
    <message>
      <source>All settings are as they were at first.</source>
      <translation>所有设置都已恢复默认。</translation>
    </message>
    <message>
      <source>What you changed holds after a restart.</source>
      <translation>更改将在重新启动后生效。</translation>
    </message>
    <message>
      <source>Everything is as it was at first.</source>
      <translation>所有设置都是默认值。</translation>
    </message>
    <message>
      <source>Undo</source>
      <translation>撤销</translation>
    </message>
    <message>
      <source>Keys</source>
      <translation>按键</translation>
    </message>
    <message>
      <source>Every key of every screen, searchable.</source>
      <translation>所有页面的所有按键，可以搜索。</translation>
    </message>
    <message>
      <source>Show keyboard shortcuts</source>
      <translation>查看键盘快捷键</translation>
    </message>
    <message>
      <source>Models of this computer</source>
      <translation>这台电脑上的模型</translation>
    </message>
    <message>
      <source>Which are here and in use, which can be had, and a check of each.</source>
      <translation>查看已有、正在使用和可以获取的模型，并逐一检查。</translation>
    </message>
    <message>
      <source>Open Models</source>
      <translation>打开“模型”</translation>
    </message>
    <message>
      <source>Watched folders</source>
      <translation>监视文件夹</translation>
    </message>
    <message>
      <source>New and changed files in them are read by themselves. None are watched at first.</source>
      <translation>其中新增和更改的文件会自动读取。默认不监视任何文件夹。</translation>
    </message>
    <message>
      <source>Choose folders…</source>
      <translation>选择文件夹…</translation>
    </message>
    <message>
      <source>This library</source>
      <translation>当前资料库</translation>
    </message>
    <message>
      <source>Back up, compact, restore…</source>
      <translation>备份、压缩整理、恢复…</translation>
    </message>
    <message>
      <source>Another library</source>
      <translation>其他资料库</translation>
    </message>
    <message>
      <source>Each is one file with its documents, names, chats and corrections.</source>
      <translation>每个资料库都是一个文件，包含文档、名称、对话和更正。</translation>
    </message>
    <message>
      <source>Open another library…</source>
      <translation>打开其他资料库…</translation>
    </message>
    <message>
      <source>A library of its own</source>
      <translation>单独的资料库</translation>
    </message>
    <message>
      <source>For another subject, or to keep things apart.</source>
      <translation>用于其他主题，或把内容分开存放。</translation>
    </message>
    <message>
      <source>New library…</source>
      <translation>新建资料库…</translation>
    </message>
    <message>
      <source>How questions are answered</source>
      <translation>如何回答问题</translation>
    </message>
    <message>
      <source>Length, way of finding, model and every number are chosen beside the question.</source>
      <translation>篇幅、查找方式、模型和各项数值都在问题旁边选择。</translation>
    </message>
    <message>
      <source>Go to chat</source>
      <translation>前往对话</translation>
    </message>
    <message>
      <source>How this library is enriched</source>
      <translation>当前资料库的精读方式</translation>
    </message>
    <message>
      <source>What a model is asked about your documents; kept in the library itself.</source>
      <translation>就你的文档向模型提出的问题；保存在资料库中。</translation>
    </message>
    <message>
      <source>How to enrich…</source>
      <translation>精读方式…</translation>
    </message>
    <message>
      <source>Look and language</source>
      <translation>外观与语言</translation>
    </message>
    <message>
      <source>Models</source>
      <translation>模型</translation>
    </message>
    <message>
      <source>Reading documents</source>
      <translation>读取文档</translation>
    </message>
    <message>
      <source>Libraries</source>
      <translation>资料库</translation>
    </message>
    <message>
      <source>Questions and answers</source>
      <translation>问题与回答</translation>
    </message>
    <message>
      <source>Enrichment</source>
      <translation>精读</translation>
    </message>
    <message>
      <source>Privacy</source>
      <translation>隐私</translation>
    </message>
    <message>
      <source>Small</source>
      <translation>小</translation>
    </message>
    <message>
      <source>Normal</source>
      <translation>标准</translation>
    </message>
    <message>
      <source>Large</source>
      <translation>大</translation>
    </message>
    <message>
      <source>Very large</source>
      <translation>很大</translation>
    </message>
    <message>
      <source>Largest</source>
      <translation>最大</translation>
    </message>
    <message>
      <source>Language</source>
      <translation>语言</translation>
    </message>
    <message>
      <source>Of the window. Documents, questions and answers keep theirs.</source>
      <translation>窗口的语言。文档、问题和回答保持各自的语言。</translation>
    </message>
    <message>
      <source>Colours</source>
      <translation>颜色</translation>
    </message>
    <message>
      <source>High contrast</source>
      <translation>高对比度</translation>
    </message>
    <message>
      <source>Stronger lines and inks, in light and in dark.</source>
      <translation>在浅色和深色下使用更醒目的线条和文字。</translation>
    </message>
    <message>
      <source>Size of text</source>
      <translation>文字大小</translation>
    </message>
    <message>
      <source>Of everything in the window; books have a size of their own in the reader.</source>
      <translation>窗口中的所有文字；阅读器中的正文另有大小设置。</translation>
    </message>
    <message>
      <source>Tell when long work is done</source>
      <translation>长时间的工作完成时通知</translation>
    </message>
    <message>
      <source>A notice of the system, only while the window is hidden or behind others.</source>
      <translation>系统通知，仅在窗口隐藏或被遮挡时显示。</translation>
    </message>
    <message>
      <source>As the system</source>
      <translation>跟随系统</translation>
    </message>
    <message>
      <source>Light</source>
      <translation>浅色</translation>
    </message>
    <message>
      <source>Dark</source>
      <translation>深色</translation>
    </message>
    <message>
      <source>Always</source>
      <translation>总是</translation>
    </message>
    <message>
      <source>Never</source>
      <translation>从不</translation>
    </message>
  </context>
</TS>

<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>For answers in whole sentences</source>
      <translation>用完整句子回答</translation>
    </message>
    <message>
      <source>Without one, questions are answered with the passages themselves.</source>
      <translation>没有时，直接以相关段落作答。</translation>
    </message>
    <message>
      <source>For finding by meaning</source>
      <translation>按语义查找</translation>
    </message>
    <message>
      <source>Without one, passages are found by their words and by names.</source>
      <translation>没有时，按词语和名称查找段落。</translation>
    </message>
    <message>
      <source>To get what is missing ({size}), write this in a terminal:</source>
      <translation>要获取缺少的模型（{size}），请在终端中输入：</translation>
    </message>
    <message>
      <source>Where your library lies</source>
      <translation>资料库的位置</translation>
    </message>
    <message>
      <source>A library is one file with your documents, their names, your chats and corrections. Copy it, and you have a backup.</source>
      <translation>资料库是一个文件，包含文档、其中的名称、对话和更正。复制它就是备份。</translation>
    </message>
    <message>
      <source>Name of the library</source>
      <translation>资料库名称</translation>
    </message>
    <message>
      <source>Another folder…</source>
      <translation>其他文件夹…</translation>
    </message>
    <message>
      <source>Models on this computer</source>
      <translation>这台电脑上的模型</translation>
    </message>
    <message>
      <source>Reading, names, the graph and search need none. Models answer questions in sentences and find by meaning; they run here and send nothing away.</source>
      <translation>读取、名称、图谱和搜索都不需要模型。模型用于以句子回答问题和按语义查找；它们在这台电脑上运行，不会向外发送任何内容。</translation>
    </message>
    <message>
      <source>{model} is here.</source>
      <translation>已有 {model}。</translation>
    </message>
    <message>
      <source>Command that gets the models</source>
      <translation>获取模型的命令</translation>
    </message>
    <message>
      <source>Copy</source>
      <translation>复制</translation>
    </message>
    <message>
      <source>Something to read</source>
      <translation>开始阅读</translation>
    </message>
    <message>
      <source>Names and passages can be used a moment after a text is in.</source>
      <translation>文本加入后片刻，即可使用名称和段落。</translation>
    </message>
    <message>
      <source>Look around in a sample: a few short texts to try things</source>
      <translation>先看示例：几篇可以试用的短文</translation>
    </message>
    <message>
      <source>Begin with files of your own</source>
      <translation>从自己的文件开始</translation>
    </message>
    <message>
      <source>Begin with an empty library</source>
      <translation>从空资料库开始</translation>
    </message>
    <message>
      <source>Choose files…</source>
      <translation>选择文件…</translation>
    </message>
    <message>
      <source>Welcome to Inkgraph</source>
      <translation>欢迎使用 Inkgraph</translation>
    </message>
    <message>
      <source>Language</source>
      <translation>语言</translation>
    </message>
    <message>
      <source>Skip</source>
      <translation>跳过</translation>
    </message>
    <message>
      <source>Begin with an empty library where it usually lies</source>
      <translation>在默认位置从空资料库开始</translation>
    </message>
    <message>
      <source>Back</source>
      <translation>返回</translation>
    </message>
    <message>
      <source>Next</source>
      <translation>下一步</translation>
    </message>
    <message>
      <source>Step {n} of {count}</source>
      <translation>第 {n} 步，共 {count} 步</translation>
    </message>
    <message>
      <source>My library</source>
      <translation>我的资料库</translation>
    </message>
    <message>
      <source>Name</source>
      <translation>名称</translation>
    </message>
    <message>
      <source>Lies at</source>
      <translation>位置</translation>
    </message>
    <message>
      <source>Folder of the library</source>
      <translation>资料库所在文件夹</translation>
    </message>
    <message>
      <source>The Models screen does the same, now or later.</source>
      <translation>也可以现在或以后在“模型”页面获取。</translation>
    </message>
    <message>
      <source>Drop files or folders here</source>
      <translation>将文件或文件夹拖放到这里</translation>
    </message>
    <message>
      <source>Let go to begin with them</source>
      <translation>松开即可从这些文件开始</translation>
    </message>
    <message>
      <source>Start</source>
      <translation>开始</translation>
    </message>
    <message numerus="yes">
      <source>{n} files and folders are chosen</source>
      <translation>
        <numerusform>已选择 {n} 个文件和文件夹</numerusform>
      </translation>
    </message>
  </context>
</TS>

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
      <source>To install the missing models ({size}), run this in a terminal:</source>
      <translation>要安装缺少的模型（{size}），请在终端中运行：</translation>
    </message>
    <message>
      <source>You can also install them later on the Models screen.</source>
      <translation>也可以稍后在“模型”页安装。</translation>
    </message>
    <message>
      <source>Where to keep your library</source>
      <translation>资料库的位置</translation>
    </message>
    <message>
      <source>A library is one file with your documents, their names, your chats and corrections. Backups are made in a folder beside it.</source>
      <translation>一个资料库就是一个文件，包含您的文档、名称、对话和更正。备份会自动存放在它旁边的文件夹中。</translation>
    </message>
    <message>
      <source>Name of the library</source>
      <translation>资料库名称</translation>
    </message>
    <message>
      <source>Choose folder…</source>
      <translation>选择文件夹…</translation>
    </message>
    <message>
      <source>Models on this computer</source>
      <translation>这台电脑上的模型</translation>
    </message>
    <message>
      <source>Reading, names, the graph and word search need no models. Models write answers and search by meaning; they run on this computer and send nothing.</source>
      <translation>阅读、名称、图谱和词语搜索都不需要模型。模型用于撰写回答和语义搜索；它们只在这台电脑上运行，不发送任何内容。</translation>
    </message>
    <message>
      <source>{model} is installed.</source>
      <translation>{model} 已安装。</translation>
    </message>
    <message>
      <source>Command that installs the models</source>
      <translation>安装模型的命令</translation>
    </message>
    <message>
      <source>Copy</source>
      <translation>复制</translation>
    </message>
    <message>
      <source>First documents</source>
      <translation>第一批文档</translation>
    </message>
    <message>
      <source>Names and passages are available shortly after a text is added.</source>
      <translation>加入文本后，很快就能使用名称和段落。</translation>
    </message>
    <message>
      <source>Sample library: a few short texts</source>
      <translation>示例资料库：几篇短文</translation>
    </message>
    <message>
      <source>Your own files</source>
      <translation>自己的文件</translation>
    </message>
    <message>
      <source>Empty library</source>
      <translation>空资料库</translation>
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
      <source>Create an empty library in the default folder</source>
      <translation>在默认文件夹中新建空资料库</translation>
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
      <source>Location</source>
      <translation>位置</translation>
    </message>
    <message>
      <source>There is a library of this name already.</source>
      <translation>已有同名的资料库。</translation>
    </message>
    <message>
      <source>Folder of the library</source>
      <translation>资料库所在文件夹</translation>
    </message>
    <message>
      <source>Drop files or folders here</source>
      <translation>将文件或文件夹拖放到这里</translation>
    </message>
    <message>
      <source>Drop to add these files</source>
      <translation>松开即可加入这些文件</translation>
    </message>
    <message>
      <source>Start</source>
      <translation>开始</translation>
    </message>
    <message numerus="yes">
      <source>{n} files and folders selected</source>
      <translation>
        <numerusform>已选择 {n} 个文件和文件夹</numerusform>
      </translation>
    </message>
  </context>
</TS>

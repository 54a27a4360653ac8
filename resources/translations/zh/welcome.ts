<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>Two short stories to try everything: “The Weigh-House at Quenby” in English and “白芦渡铜权记” in Chinese.</source>
      <translation>两篇短篇故事，可用来试用全部功能：英文的 The Weigh-House at Quenby 和中文的《白芦渡铜权记》。</translation>
    </message>
    <message>
      <source>Written answers</source>
      <translation>撰写回答</translation>
    </message>
    <message>
      <source>Writes answers from the passages found. A small model misreads now and then, so each sentence is compared with its source.</source>
      <translation>根据找到的段落写出回答。小模型偶尔会读错，所以每一句都与原文核对。</translation>
    </message>
    <message>
      <source>Without a chat model, a question shows the passages that fit it.</source>
      <translation>没有对话模型时，提问会得到相关的段落。</translation>
    </message>
    <message>
      <source>Search by meaning</source>
      <translation>语义搜索</translation>
    </message>
    <message>
      <source>Finds passages that say the same in other words.</source>
      <translation>找出用词不同、意思相同的段落。</translation>
    </message>
    <message>
      <source>Without an embedding model, passages are found by their words and names.</source>
      <translation>没有嵌入模型时，按字词和实体查找段落。</translation>
    </message>
    <message>
      <source>The download continues while you read; nothing else uses the internet. You can also get models later on the Models screen.</source>
      <translation>您阅读时下载会继续进行，除此之外不使用网络。以后也可以在“模型”页获取模型。</translation>
    </message>
    <message>
      <source>Create your library</source>
      <translation>创建资料库</translation>
    </message>
    <message>
      <source>Your documents, the names in them, your chats and corrections are kept in one file. Backups are made in a folder beside it.</source>
      <translation>您的文档、其中的实体、对话和更正都保存在一个文件中。备份放在它旁边的文件夹里。</translation>
    </message>
    <message>
      <source>Name of the library</source>
      <translation>资料库名称</translation>
    </message>
    <message>
      <source>Choose…</source>
      <translation>选择…</translation>
    </message>
    <message>
      <source>Folder of the library</source>
      <translation>资料库所在文件夹</translation>
    </message>
    <message>
      <source>Models on this computer</source>
      <translation>本机上的模型</translation>
    </message>
    <message>
      <source>Indexing, names, the graph and word search need no model. Search by meaning and written answers need one each. Both run on this computer, and nothing is sent anywhere.</source>
      <translation>建立索引、实体、图谱和字词搜索不需要模型；语义搜索和撰写回答各需一个模型。两者都在本机上运行，不向外发送任何内容。</translation>
    </message>
    <message>
      <source>Larger models make fewer mistakes. Add them later on the Models screen.</source>
      <translation>更大的模型出错更少，以后可以在“模型”页面添加。</translation>
    </message>
    <message>
      <source>needs {size} of memory</source>
      <translation>需要 {size} 内存</translation>
    </message>
    <message>
      <source>First documents</source>
      <translation>第一批文档</translation>
    </message>
    <message>
      <source>Names appear a few seconds after you add a text.</source>
      <translation>添加文本几秒后，实体就会出现。</translation>
    </message>
    <message>
      <source>Sample documents</source>
      <translation>示例文档</translation>
    </message>
    <message>
      <source>Your own files</source>
      <translation>您自己的文件</translation>
    </message>
    <message>
      <source>No documents yet</source>
      <translation>暂不添加文档</translation>
    </message>
    <message>
      <source>PDF, EPUB, Word, Excel, e-mail, web pages, plain text and more.</source>
      <translation>PDF、EPUB、Word、Excel、邮件、网页、纯文本等。</translation>
    </message>
    <message>
      <source>You can drop files into the window at any time.</source>
      <translation>随时可以将文件拖放到窗口中。</translation>
    </message>
    <message>
      <source>Choose files…</source>
      <translation>选择文件…</translation>
    </message>
    <message>
      <source>Names, places and connections in your books and papers, each with its source.</source>
      <translation>从您的书籍和论文中找出人物、地点和关系，每一条都有出处。</translation>
    </message>
    <message>
      <source>Everything stays on this computer.</source>
      <translation>所有内容都保存在本机上。</translation>
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
      <source>Skip setup</source>
      <translation>跳过设置</translation>
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
      <source>Library</source>
      <translation>资料库</translation>
    </message>
    <message>
      <source>Models</source>
      <translation>模型</translation>
    </message>
    <message>
      <source>Documents</source>
      <translation>文档</translation>
    </message>
    <message>
      <source>Step {n} of {count}</source>
      <translation>第 {n} 步，共 {count} 步</translation>
    </message>
    <message>
      <source>Create library</source>
      <translation>创建资料库</translation>
    </message>
    <message>
      <source>Open library</source>
      <translation>打开资料库</translation>
    </message>
    <message>
      <source>My library</source>
      <translation>我的资料库</translation>
    </message>
    <message>
      <source>A library with this name already exists.</source>
      <translation>已有同名的资料库。</translation>
    </message>
    <message>
      <source>installed</source>
      <translation>已安装</translation>
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
      <source>Name</source>
      <translation>名称</translation>
    </message>
    <message>
      <source>Location</source>
      <translation>位置</translation>
    </message>
    <message numerus="yes">
      <source>{n} files and folders selected</source>
      <translation>
        <numerusform>已选择 {n} 个文件和文件夹</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Download these models now ({size})</source>
      <translation>
        <numerusform>现在下载这些模型（{size}）</numerusform>
      </translation>
    </message>
  </context>
</TS>

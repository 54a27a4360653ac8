<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>Asks some questions about two short texts; two minutes at most</source>
      <translation>就两篇短文提几个问题，最多两分钟</translation>
    </message>
    <message>
      <source>Question {n} of {total}: {question}</source>
      <translation>第 {n} 个问题（共 {total} 个）：{question}</translation>
    </message>
    <message>
      <source>What can this model do?</source>
      <translation>这个模型能做什么？</translation>
    </message>
    <message>
      <source>Check again what it can do</source>
      <translation>重新检查它能做什么</translation>
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
      <source>Written answers in which every sentence has the number of a passage that exists</source>
      <translation>每句话都带有确实存在的段落编号的回答</translation>
    </message>
    <message>
      <source>Questions without an answer in the passages, for which the model makes none up</source>
      <translation>段落中没有答案、模型也没有编造答案的问题</translation>
    </message>
    <message>
      <source>Right answers from English passages</source>
      <translation>根据英文段落作出的正确回答</translation>
    </message>
    <message>
      <source>Right answers from Chinese passages, in Chinese</source>
      <translation>根据中文段落用中文作出的正确回答</translation>
    </message>
    <message>
      <source>A token is a short word or a part of one.</source>
      <translation>一个词元约为一个汉字、一个短词或词的一部分。</translation>
    </message>
    <message>
      <source>Loading the model…</source>
      <translation>正在加载模型…</translation>
    </message>
    <message>
      <source>Stop</source>
      <translation>停止</translation>
    </message>
    <message>
      <source>Checked on {date} with Inkgraph {version}</source>
      <translation>检查于 {date}，Inkgraph {version}</translation>
    </message>
    <message>
      <source>APA (7th edition)</source>
      <translation>APA（第 7 版）</translation>
    </message>
    <message>
      <source>Chicago (author–date)</source>
      <translation>芝加哥（作者-日期）</translation>
    </message>
    <message>
      <source>MLA (9th edition)</source>
      <translation>MLA（第 9 版）</translation>
    </message>
    <message>
      <source>GB/T 7714—2015</source>
      <translation>GB/T 7714—2015</translation>
    </message>
    <message>
      <source>References</source>
      <translation>参考文献</translation>
    </message>
    <message>
      <source>Takes no part</source>
      <translation>未参与</translation>
    </message>
    <message>
      <source>Does it</source>
      <translation>行动者</translation>
    </message>
    <message>
      <source>It is done to</source>
      <translation>承受者</translation>
    </message>
    <message>
      <source>Is the place</source>
      <translation>地点</translation>
    </message>
    <message>
      <source>dies</source>
      <translation>去世</translation>
    </message>
    <message>
      <source>{actor} dies</source>
      <translation>{actor}去世</translation>
    </message>
    <message>
      <source>{patient} dies</source>
      <translation>{patient}去世</translation>
    </message>
    <message>
      <source>kills</source>
      <translation>杀死</translation>
    </message>
    <message>
      <source>{actor} kills {patient}</source>
      <translation>{actor}杀死{patient}</translation>
    </message>
    <message>
      <source>{actor} kills someone</source>
      <translation>{actor}杀人</translation>
    </message>
    <message>
      <source>{patient} is killed</source>
      <translation>{patient}被杀</translation>
    </message>
    <message>
      <source>marries</source>
      <translation>结婚</translation>
    </message>
    <message>
      <source>{actor} marries {patient}</source>
      <translation>{actor}与{patient}结婚</translation>
    </message>
    <message>
      <source>{actor} marries</source>
      <translation>{actor}结婚</translation>
    </message>
    <message>
      <source>{patient} is married</source>
      <translation>{patient}结婚</translation>
    </message>
    <message>
      <source>is born</source>
      <translation>出生</translation>
    </message>
    <message>
      <source>{actor} gives birth to {patient}</source>
      <translation>{actor}生下{patient}</translation>
    </message>
    <message>
      <source>{actor} gives birth</source>
      <translation>{actor}生子</translation>
    </message>
    <message>
      <source>{patient} is born</source>
      <translation>{patient}出生</translation>
    </message>
    <message>
      <source>meets</source>
      <translation>相见</translation>
    </message>
    <message>
      <source>{actor} meets {patient}</source>
      <translation>{actor}见到{patient}</translation>
    </message>
    <message>
      <source>{actor} meets someone</source>
      <translation>{actor}见到某人</translation>
    </message>
    <message>
      <source>Someone meets {patient}</source>
      <translation>有人见到{patient}</translation>
    </message>
    <message>
      <source>helps</source>
      <translation>相助</translation>
    </message>
    <message>
      <source>{actor} helps {patient}</source>
      <translation>{actor}帮助{patient}</translation>
    </message>
    <message>
      <source>{actor} helps someone</source>
      <translation>{actor}帮助他人</translation>
    </message>
    <message>
      <source>Someone helps {patient}</source>
      <translation>有人帮助{patient}</translation>
    </message>
    <message>
      <source>fights</source>
      <translation>交战</translation>
    </message>
    <message>
      <source>{actor} fights {patient}</source>
      <translation>{actor}与{patient}交战</translation>
    </message>
    <message>
      <source>{actor} fights</source>
      <translation>{actor}交战</translation>
    </message>
    <message>
      <source>Someone fights {patient}</source>
      <translation>有人与{patient}交战</translation>
    </message>
    <message>
      <source>wins</source>
      <translation>取胜</translation>
    </message>
    <message>
      <source>{actor} defeats {patient}</source>
      <translation>{actor}战胜{patient}</translation>
    </message>
    <message>
      <source>{actor} wins</source>
      <translation>{actor}取胜</translation>
    </message>
    <message>
      <source>{patient} is defeated</source>
      <translation>{patient}战败</translation>
    </message>
    <message>
      <source>captures</source>
      <translation>擒获</translation>
    </message>
    <message>
      <source>{actor} captures {patient}</source>
      <translation>{actor}擒获{patient}</translation>
    </message>
    <message>
      <source>{actor} captures someone</source>
      <translation>{actor}擒人</translation>
    </message>
    <message>
      <source>{patient} is captured</source>
      <translation>{patient}被擒</translation>
    </message>
    <message>
      <source>wounds</source>
      <translation>伤害</translation>
    </message>
    <message>
      <source>{actor} wounds {patient}</source>
      <translation>{actor}打伤{patient}</translation>
    </message>
    <message>
      <source>{actor} wounds someone</source>
      <translation>{actor}伤人</translation>
    </message>
    <message>
      <source>{patient} is wounded</source>
      <translation>{patient}受伤</translation>
    </message>
    <message>
      <source>departs</source>
      <translation>离开</translation>
    </message>
    <message>
      <source>{actor} leaves {patient}</source>
      <translation>{actor}离开{patient}</translation>
    </message>
    <message>
      <source>{actor} departs</source>
      <translation>{actor}离开</translation>
    </message>
    <message>
      <source>Someone leaves {patient}</source>
      <translation>有人离开{patient}</translation>
    </message>
    <message>
      <source>arrives</source>
      <translation>到来</translation>
    </message>
    <message>
      <source>{actor} arrives</source>
      <translation>{actor}到来</translation>
    </message>
    <message>
      <source>{patient} arrives</source>
      <translation>{patient}到来</translation>
    </message>
    <message>
      <source>is appointed</source>
      <translation>任命</translation>
    </message>
    <message>
      <source>{actor} appoints {patient}</source>
      <translation>{actor}任命{patient}</translation>
    </message>
    <message>
      <source>{actor} appoints someone</source>
      <translation>{actor}任命他人</translation>
    </message>
    <message>
      <source>{patient} is appointed</source>
      <translation>{patient}获任命</translation>
    </message>
    <message>
      <source>takes vows</source>
      <translation>立誓</translation>
    </message>
    <message>
      <source>{actor} takes vows with {patient}</source>
      <translation>{actor}与{patient}结拜</translation>
    </message>
    <message>
      <source>{actor} takes vows</source>
      <translation>{actor}立誓或出家</translation>
    </message>
    <message>
      <source>{patient} takes vows</source>
      <translation>{patient}立誓或出家</translation>
    </message>
    <message>
      <source>betrays</source>
      <translation>背叛</translation>
    </message>
    <message>
      <source>{actor} betrays {patient}</source>
      <translation>{actor}背叛或欺骗{patient}</translation>
    </message>
    <message>
      <source>{actor} betrays someone</source>
      <translation>{actor}背叛或欺骗他人</translation>
    </message>
    <message>
      <source>{patient} is betrayed</source>
      <translation>{patient}被背叛或欺骗</translation>
    </message>
    <message>
      <source>learns</source>
      <translation>得知</translation>
    </message>
    <message>
      <source>{actor} learns something</source>
      <translation>{actor}得知某事</translation>
    </message>
    <message>
      <source>{patient} learns something</source>
      <translation>{patient}得知某事</translation>
    </message>
    <message>
      <source>gives</source>
      <translation>给予</translation>
    </message>
    <message>
      <source>{actor} gives something to {patient}</source>
      <translation>{actor}把东西给{patient}</translation>
    </message>
    <message>
      <source>{actor} gives something</source>
      <translation>{actor}给出东西</translation>
    </message>
    <message>
      <source>{patient} is given something</source>
      <translation>{patient}得到东西</translation>
    </message>
    <message>
      <source>says</source>
      <translation>说话</translation>
    </message>
    <message>
      <source>{actor} speaks to {patient}</source>
      <translation>{actor}对{patient}说话</translation>
    </message>
    <message>
      <source>{actor} speaks to someone</source>
      <translation>{actor}对人说话</translation>
    </message>
    <message>
      <source>Someone speaks to {patient}</source>
      <translation>有人对{patient}说话</translation>
    </message>
    <message>
      <source>speaks of the past</source>
      <translation>诉说往事</translation>
    </message>
    <message>
      <source>{actor} speaks of the past to {patient}</source>
      <translation>{actor}向{patient}诉说往事</translation>
    </message>
    <message>
      <source>{actor} speaks of the past</source>
      <translation>{actor}诉说往事</translation>
    </message>
    <message>
      <source>{patient} hears of the past</source>
      <translation>{patient}听说往事</translation>
    </message>
    <message>
      <source>is described</source>
      <translation>外貌描写</translation>
    </message>
    <message>
      <source>{actor} describes {patient}</source>
      <translation>{actor}描述{patient}</translation>
    </message>
    <message>
      <source>{actor} describes someone</source>
      <translation>{actor}描述他人</translation>
    </message>
    <message>
      <source>{patient} is described</source>
      <translation>描写{patient}</translation>
    </message>
    <message>
      <source>Clear</source>
      <translation>清除</translation>
    </message>
    <message>
      <source>Add, separated by commas</source>
      <translation>添加，用逗号分隔</translation>
    </message>
    <message>
      <source>Remove “{word}”</source>
      <translation>移除“{word}”</translation>
    </message>
    <message>
      <source>{list}: remove {word}</source>
      <translation>{list}：移除“{word}”</translation>
    </message>
    <message>
      <source>Copy</source>
      <translation>复制</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>Open {site} in the browser?</source>
      <translation>要在浏览器中打开 {site} 吗？</translation>
    </message>
    <message>
      <source>Always open links to {site}</source>
      <translation>以后直接打开 {site} 的链接</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>打开</translation>
    </message>
    <message>
      <source>Copy link</source>
      <translation>复制链接</translation>
    </message>
    <message>
      <source>Names and passages</source>
      <translation>实体与段落</translation>
    </message>
    <message>
      <source>Follows names from passage to passage. Best for most questions.</source>
      <translation>顺着实体从一段找到另一段，适合大多数问题。</translation>
    </message>
    <message>
      <source>Everything</source>
      <translation>全部</translation>
    </message>
    <message>
      <source>Names, connections and passages. For broad questions.</source>
      <translation>实体、关系和段落，适合宽泛的问题。</translation>
    </message>
    <message>
      <source>Names</source>
      <translation>实体</translation>
    </message>
    <message>
      <source>For one person, place or thing: who, what, where.</source>
      <translation>问一个人、地方或事物：谁、什么、在哪里。</translation>
    </message>
    <message>
      <source>Connections</source>
      <translation>关系</translation>
    </message>
    <message>
      <source>For themes and relations across many documents.</source>
      <translation>适合跨多个文档的主题和关系。</translation>
    </message>
    <message>
      <source>Names and connections</source>
      <translation>实体与关系</translation>
    </message>
    <message>
      <source>Both of these, when a question has names and a theme.</source>
      <translation>以上两种合用，适合既有实体又有主题的问题。</translation>
    </message>
    <message>
      <source>By meaning</source>
      <translation>按语义</translation>
    </message>
    <message>
      <source>Passages with a similar meaning, also in other words.</source>
      <translation>含义相近的段落，措辞可以不同。</translation>
    </message>
    <message>
      <source>By exact words</source>
      <translation>按原词</translation>
    </message>
    <message>
      <source>For quotations, numbers and rare terms.</source>
      <translation>适合引文、数字和少见的词。</translation>
    </message>
    <message>
      <source>Overview</source>
      <translation>总览</translation>
    </message>
    <message>
      <source>What the whole library is about, from its reports. Slow.</source>
      <translation>整个资料库的主要内容，依据报告。较慢。</translation>
    </message>
    <message>
      <source>Overview, then details</source>
      <translation>先总览，再细节</translation>
    </message>
    <message>
      <source>Asks itself follow-up questions. Slowest.</source>
      <translation>自行提出后续问题。最慢。</translation>
    </message>
    <message>
      <source>Model only</source>
      <translation>仅模型</translation>
    </message>
    <message>
      <source>Nothing is looked up, and there are no sources to check.</source>
      <translation>不做查找，也没有可核对的来源。</translation>
    </message>
    <message>
      <source>Ask the model only, without your documents</source>
      <translation>只问模型，不查阅文档</translation>
    </message>
    <message>
      <source>Recommended</source>
      <translation>推荐</translation>
    </message>
    <message>
      <source>Knowledge graph</source>
      <translation>知识图谱</translation>
    </message>
    <message>
      <source>Passages only</source>
      <translation>仅段落</translation>
    </message>
    <message>
      <source>Whole library</source>
      <translation>整个资料库</translation>
    </message>
    <message>
      <source>Without your documents</source>
      <translation>不查阅文档</translation>
    </message>
    <message>
      <source>Applies to documents added from now on.</source>
      <translation>对之后加入的文档生效。</translation>
    </message>
    <message>
      <source>Takes effect after a restart.</source>
      <translation>重新启动后生效。</translation>
    </message>
    <message>
      <source>Reset to “{value}”</source>
      <translation>恢复为“{value}”</translation>
    </message>
    <message>
      <source>Reset to default</source>
      <translation>恢复默认</translation>
    </message>
    <message>
      <source>Choose…</source>
      <translation>选择…</translation>
    </message>
    <message>
      <source>on</source>
      <translation>开</translation>
    </message>
    <message>
      <source>off</source>
      <translation>关</translation>
    </message>
    <message>
      <source>Reset: {name}</source>
      <translation>恢复默认：{name}</translation>
    </message>
    <message>
      <source>Without the passphrase nobody can open the library, and nothing can recover it. Keep the passphrase in a safe place. It is stored nowhere and asked for at each start.</source>
      <translation>没有密码，任何人都无法打开资料库，也无法恢复。请妥善保管密码。密码不会保存，每次启动时都要输入。</translation>
    </message>
    <message>
      <source>Exported files and copied text are not encrypted. The disk may keep old data of a deleted file for some time.</source>
      <translation>导出的文件和复制的文本不加密。磁盘可能在一段时间内保留已删除文件的旧数据。</translation>
    </message>
    <message>
      <source>New passphrase</source>
      <translation>新密码</translation>
    </message>
    <message>
      <source>New passphrase again</source>
      <translation>再次输入新密码</translation>
    </message>
    <message>
      <source>Show passphrase</source>
      <translation>显示密码</translation>
    </message>
    <message>
      <source>At least {n} characters; several words are best.</source>
      <translation>至少 {n} 个字符；最好使用几个词。</translation>
    </message>
    <message>
      <source>Encrypt with a passphrase</source>
      <translation>用密码加密</translation>
    </message>
    <message>
      <source>A lost passphrase cannot be recovered.</source>
      <translation>密码一旦丢失，无法恢复。</translation>
    </message>
    <message>
      <source>The two passphrases differ.</source>
      <translation>两次输入的密码不同。</translation>
    </message>
    <message>
      <source>Quoted from your documents, not described by a model</source>
      <translation>引自您的文档，没有经模型描述</translation>
    </message>
    <message>
      <source>Type found without a model, from the words around the name: {type}</source>
      <translation>非模型判断，依据名称前后的文字确定类型：{type}</translation>
    </message>
    <message>
      <source>By a model</source>
      <translation>模型所写</translation>
    </message>
    <message>
      <source>Quoted</source>
      <translation>原文引用</translation>
    </message>
    <message>
      <source>By you</source>
      <translation>您所写</translation>
    </message>
    <message>
      <source>Imported</source>
      <translation>导入</translation>
    </message>
    <message>
      <source>Described by you</source>
      <translation>描述由您撰写</translation>
    </message>
    <message>
      <source>Description imported from {origins}</source>
      <translation>描述导入自 {origins}</translation>
    </message>
    <message>
      <source>Quoted, because {models} added nothing to the text</source>
      <translation>原文引用：{models} 没有另加描述</translation>
    </message>
    <message>
      <source>Type set by you: {type}</source>
      <translation>您指定的类型：{type}</translation>
    </message>
    <message>
      <source>Imported type: {type}</source>
      <translation>导入时的类型：{type}</translation>
    </message>
    <message>
      <source>Description imported from another graph</source>
      <translation>描述导入自另一个图谱</translation>
    </message>
    <message>
      <source>certainty unknown</source>
      <translation>未说明把握程度</translation>
    </message>
    <message>
      <source>A file with this name is in “{folder}” already.</source>
      <translation>“{folder}”中已有同名文件。</translation>
    </message>
    <message>
      <source>Replace “{name}”?</source>
      <translation>要替换“{name}”吗？</translation>
    </message>
    <message>
      <source>Another name…</source>
      <translation>换个名称…</translation>
    </message>
    <message>
      <source>Replace</source>
      <translation>替换</translation>
    </message>
    <message>
      <source>Restored what you had typed</source>
      <translation>已恢复您之前输入的内容</translation>
    </message>
    <message>
      <source>Discard</source>
      <translation>放弃</translation>
    </message>
    <message>
      <source>Show what is stored in its place</source>
      <translation>改为显示已保存的内容</translation>
    </message>
    <message>
      <source>Mentions. {documents}</source>
      <translation>提及次数。{documents}</translation>
    </message>
    <message>
      <source>Fewer</source>
      <translation>收起</translation>
    </message>
    <message>
      <source>{title}, at {share}</source>
      <translation>{title}，{share} 处</translation>
    </message>
    <message>
      <source>Drop to add to the library</source>
      <translation>松开即可添加到资料库</translation>
    </message>
    <message>
      <source>Loading</source>
      <translation>正在加载</translation>
    </message>
    <message>
      <source>The rows stay in place while you use the list. Sort them now.</source>
      <translation>您使用列表时，各行保持原位。点击可立即排序。</translation>
    </message>
    <message>
      <source>Update</source>
      <translation>更新</translation>
    </message>
    <message>
      <source>+{n}</source>
      <translation>+{n}</translation>
    </message>
    <message>
      <source>Front matter</source>
      <translation>卷首</translation>
    </message>
    <message>
      <source>German</source>
      <translation>德语</translation>
    </message>
    <message>
      <source>French</source>
      <translation>法语</translation>
    </message>
    <message>
      <source>Spanish</source>
      <translation>西班牙语</translation>
    </message>
    <message>
      <source>Italian</source>
      <translation>意大利语</translation>
    </message>
    <message>
      <source>Japanese</source>
      <translation>日语</translation>
    </message>
    <message>
      <source>Korean</source>
      <translation>韩语</translation>
    </message>
    <message>
      <source>Latin</source>
      <translation>拉丁语</translation>
    </message>
    <message>
      <source>Portuguese</source>
      <translation>葡萄牙语</translation>
    </message>
    <message>
      <source>Russian</source>
      <translation>俄语</translation>
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
      <source>({n} of {all})</source>
      <translation>（{n} / {all}）</translation>
    </message>
    <message>
      <source>{hours} h left</source>
      <translation>还需 {hours} 小时</translation>
    </message>
    <message>
      <source>Paused while answering</source>
      <translation>回答问题时暂停</translation>
    </message>
    <message>
      <source>Paused while reading documents</source>
      <translation>读取文档时暂停</translation>
    </message>
    <message>
      <source>Paused while writing reports</source>
      <translation>撰写报告时暂停</translation>
    </message>
    <message>
      <source>Word</source>
      <translation>Word</translation>
    </message>
    <message>
      <source>Excel</source>
      <translation>Excel</translation>
    </message>
    <message>
      <source>PowerPoint</source>
      <translation>PowerPoint</translation>
    </message>
    <message>
      <source>Kindle</source>
      <translation>Kindle</translation>
    </message>
    <message>
      <source>E-mail</source>
      <translation>邮件</translation>
    </message>
    <message>
      <source>Subtitles</source>
      <translation>字幕</translation>
    </message>
    <message>
      <source>Markdown</source>
      <translation>Markdown</translation>
    </message>
    <message>
      <source>Text</source>
      <translation>文本</translation>
    </message>
    <message>
      <source>{subject} loves {object}</source>
      <translation>{subject}爱{object}</translation>
    </message>
    <message>
      <source>{subject} works for {object}</source>
      <translation>{subject}为{object}效力</translation>
    </message>
    <message>
      <source>{subject} talks to {object}</source>
      <translation>{subject}对{object}说话</translation>
    </message>
    <message>
      <source>{subject} is in {object}</source>
      <translation>{subject}在{object}</translation>
    </message>
    <message>
      <source>{subject} is part of {object}</source>
      <translation>{subject}属于{object}</translation>
    </message>
    <message>
      <source>{subject} uses {object}</source>
      <translation>{subject}使用{object}</translation>
    </message>
    <message>
      <source>{subject} causes {object}</source>
      <translation>{subject}导致{object}</translation>
    </message>
    <message>
      <source>{subject} made {object}</source>
      <translation>{subject}创作{object}</translation>
    </message>
    <message>
      <source>{subject} writes to {object}</source>
      <translation>{subject}写信给{object}</translation>
    </message>
    <message>
      <source>{n} bytes</source>
      <translation>{n} 字节</translation>
    </message>
    <message>
      <source>less than a minute left</source>
      <translation>还需不到 1 分钟</translation>
    </message>
    <message>
      <source>{n} min left</source>
      <translation>还需 {n} 分钟</translation>
    </message>
    <message>
      <source>{hours} h {minutes} min left</source>
      <translation>还需 {hours} 小时 {minutes} 分钟</translation>
    </message>
    <message>
      <source>just now</source>
      <translation>刚刚</translation>
    </message>
    <message>
      <source>{n} min ago</source>
      <translation>{n} 分钟前</translation>
    </message>
    <message>
      <source>{n} h ago</source>
      <translation>{n} 小时前</translation>
    </message>
    <message>
      <source>yesterday</source>
      <translation>昨天</translation>
    </message>
    <message>
      <source>{n} days ago</source>
      <translation>{n} 天前</translation>
    </message>
    <message>
      <source>today</source>
      <translation>今天</translation>
    </message>
    <message>
      <source>today {time}</source>
      <translation>今天 {time}</translation>
    </message>
    <message>
      <source>yesterday {time}</source>
      <translation>昨天 {time}</translation>
    </message>
    <message>
      <source>d MMM yyyy</source>
      <translation>yyyy 年 M 月 d 日</translation>
    </message>
    <message>
      <source>d MMM</source>
      <translation>M 月 d 日</translation>
    </message>
    <message>
      <source>family</source>
      <translation>亲属</translation>
    </message>
    <message>
      <source>love</source>
      <translation>爱慕</translation>
    </message>
    <message>
      <source>friends</source>
      <translation>朋友</translation>
    </message>
    <message>
      <source>at odds</source>
      <translation>敌对</translation>
    </message>
    <message>
      <source>work</source>
      <translation>共事</translation>
    </message>
    <message>
      <source>talk</source>
      <translation>交谈</translation>
    </message>
    <message>
      <source>part of</source>
      <translation>属于</translation>
    </message>
    <message>
      <source>uses</source>
      <translation>使用</translation>
    </message>
    <message>
      <source>compared with</source>
      <translation>比较</translation>
    </message>
    <message>
      <source>causes</source>
      <translation>导致</translation>
    </message>
    <message>
      <source>made</source>
      <translation>创作</translation>
    </message>
    <message>
      <source>letters</source>
      <translation>书信</translation>
    </message>
    <message>
      <source>{subject} is the {role} of {object}</source>
      <translation>{subject}是{object}的{role}</translation>
    </message>
    <message>
      <source>unsure</source>
      <translation>不确定</translation>
    </message>
    <message>
      <source>fairly sure</source>
      <translation>较有把握</translation>
    </message>
    <message>
      <source>sure</source>
      <translation>有把握</translation>
    </message>
    <message>
      <source>{names} and {n} more</source>
      <translation>{names}等，另有 {n} 个</translation>
    </message>
    <message>
      <source>p. {label}</source>
      <translation>第 {label} 页</translation>
    </message>
    <message>
      <source>{rate} pages a minute</source>
      <translation>每分钟 {rate} 页</translation>
    </message>
    <message>
      <source>named together</source>
      <translation>一同提到</translation>
    </message>
    <message>
      <source>{object}’s {role} is {subject}</source>
      <translation>{object}的{role}是{subject}</translation>
    </message>
    <message>
      <source>, </source>
      <translation>、</translation>
    </message>
    <message numerus="yes">
      <source>{n} questions</source>
      <translation>
        <numerusform>{n} 个问题</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Described from {k} of {n} passages, by {models}</source>
      <translation>
        <numerusform>描述依据 {n} 个段落中的 {k} 个，由 {models} 撰写</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{type}: {sure}, according to {models}, asked in {n} passages</source>
      <translation>
        <numerusform>{type}：{models} 表示{sure}，就 {n} 个段落询问</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Described from {k} of {n} passages</source>
      <translation>
        <numerusform>描述依据 {n} 个段落中的 {k} 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{type}: {sure}, asked in {n} passages</source>
      <translation>
        <numerusform>{type}：{sure}，就 {n} 个段落询问</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{title}: {n} mentions</source>
      <translation>
        <numerusform>{title}：提及 {n} 处</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} more documents</source>
      <translation>
        <numerusform>还有 {n} 个文档</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} new</source>
      <translation>
        <numerusform>{n} 个新条目</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{done} of {n} pages read</source>
      <translation>
        <numerusform>已识别 {done} 页，共 {n} 页</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{name} and {n} others</source>
      <translation>
        <numerusform>{name}及另外 {n} 人</numerusform>
      </translation>
    </message>
  </context>
</TS>

<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>A person in the text says so.</source>
      <translation>这是文中人物说的。</translation>
    </message>
    <message>
      <source>How it was checked</source>
      <translation>核对过程</translation>
    </message>
    <message>
      <source>From passages {numbers}</source>
      <translation>出自段落 {numbers}</translation>
    </message>
    <message>
      <source>From passage {n}</source>
      <translation>出自段落 {n}</translation>
    </message>
    <message>
      <source>Passage {n}</source>
      <translation>段落 {n}</translation>
    </message>
    <message>
      <source>p. {page}</source>
      <translation>第 {page} 页</translation>
    </message>
    <message>
      <source>Answer</source>
      <translation>回答</translation>
    </message>
    <message>
      <source>Open this name</source>
      <translation>打开此实体</translation>
    </message>
    <message>
      <source>Ask</source>
      <translation>提问</translation>
    </message>
    <message>
      <source>New line</source>
      <translation>换行</translation>
    </message>
    <message>
      <source>Stop the answer</source>
      <translation>停止回答</translation>
    </message>
    <message>
      <source>Commands, at the start of a question</source>
      <translation>在问题开头输入命令</translation>
    </message>
    <message>
      <source>Edit your question; both versions and their answers are kept</source>
      <translation>修改问题；两个版本及其回答都会保留</translation>
    </message>
    <message>
      <source>Start a new chat</source>
      <translation>新建对话</translation>
    </message>
    <message>
      <source>Answer the last question again</source>
      <translation>重新回答上一个问题</translation>
    </message>
    <message>
      <source>Search in all chats</source>
      <translation>在所有对话中搜索</translation>
    </message>
    <message>
      <source>Save this chat as a file</source>
      <translation>把这个对话存为文件</translation>
    </message>
    <message>
      <source>Rename this chat</source>
      <translation>重命名此对话</translation>
    </message>
    <message>
      <source>Ask about your documents</source>
      <translation>就您的文档提问</translation>
    </message>
    <message>
      <source>Question</source>
      <translation>问题</translation>
    </message>
    <message>
      <source>Stop</source>
      <translation>停止</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>Commands</source>
      <translation>命令</translation>
    </message>
    <message>
      <source>Wait for the answer, or stop it.</source>
      <translation>请等待回答完成，或将其停止。</translation>
    </message>
    <message>
      <source>No names were found in these passages.</source>
      <translation>这些段落中没有找到实体。</translation>
    </message>
    <message>
      <source>No answer.</source>
      <translation>没有回答。</translation>
    </message>
    <message>
      <source>References</source>
      <translation>参考文献</translation>
    </message>
    <message>
      <source>Hide: {part}</source>
      <translation>收起：{part}</translation>
    </message>
    <message>
      <source>Show: {part}</source>
      <translation>展开：{part}</translation>
    </message>
    <message>
      <source>New chat</source>
      <translation>新对话</translation>
    </message>
    <message>
      <source>Markdown (*.md);;Web page (*.html);;JSON with all sources (*.json)</source>
      <translation>Markdown (*.md);;网页 (*.html);;含全部来源的 JSON (*.json)</translation>
    </message>
    <message>
      <source>Ask again before opening links</source>
      <translation>打开链接前重新询问</translation>
    </message>
    <message>
      <source>You will be asked again before a link is opened.</source>
      <translation>打开链接前会再次询问您。</translation>
    </message>
    <message>
      <source>Title of the chat</source>
      <translation>对话标题</translation>
    </message>
    <message>
      <source>More</source>
      <translation>更多</translation>
    </message>
    <message>
      <source>Rename</source>
      <translation>重命名</translation>
    </message>
    <message>
      <source>Copy the whole chat</source>
      <translation>复制整个对话</translation>
    </message>
    <message>
      <source>Export…</source>
      <translation>导出…</translation>
    </message>
    <message>
      <source>Delete chat</source>
      <translation>删除对话</translation>
    </message>
    <message>
      <source>Copied the chat</source>
      <translation>对话已复制</translation>
    </message>
    <message>
      <source>Export the chat</source>
      <translation>导出对话</translation>
    </message>
    <message>
      <source>Export the answer</source>
      <translation>导出回答</translation>
    </message>
    <message>
      <source>Saved as “{name}”</source>
      <translation>已保存为“{name}”</translation>
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
      <source>How this was found</source>
      <translation>查找过程</translation>
    </message>
    <message>
      <source>Technical details</source>
      <translation>技术细节</translation>
    </message>
    <message>
      <source>Checked</source>
      <translation>已核对</translation>
    </message>
    <message>
      <source>Loading…</source>
      <translation>正在加载…</translation>
    </message>
    <message>
      <source>{n} of {m} confirmed</source>
      <translation>{m} 句中 {n} 句通过核对</translation>
    </message>
    <message>
      <source>Prompt</source>
      <translation>提示词</translation>
    </message>
    <message>
      <source>Copy</source>
      <translation>复制</translation>
    </message>
    <message>
      <source>Copy the whole prompt</source>
      <translation>复制完整提示词</translation>
    </message>
    <message>
      <source>Copied</source>
      <translation>已复制</translation>
    </message>
    <message>
      <source>Not confirmed: “{text}”. {reason}.</source>
      <translation>未通过核对：“{text}”。{reason}。</translation>
    </message>
    <message>
      <source>Show the passage</source>
      <translation>查看段落</translation>
    </message>
    <message>
      <source>Show the passages</source>
      <translation>查看各段落</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Searched for</source>
      <translation>搜索内容</translation>
    </message>
    <message>
      <source>none</source>
      <translation>无</translation>
    </message>
    <message>
      <source>Found</source>
      <translation>已找到</translation>
    </message>
    <message>
      <source>No passage matches the question closely.</source>
      <translation>没有与问题密切相关的段落。</translation>
    </message>
    <message>
      <source>Read</source>
      <translation>已阅读</translation>
    </message>
    <message>
      <source>{n} of {m}</source>
      <translation>{n} / {m}</translation>
    </message>
    <message>
      <source>Passages</source>
      <translation>段落</translation>
    </message>
    <message>
      <source>Wrote</source>
      <translation>已写出</translation>
    </message>
    <message>
      <source>Connections used</source>
      <translation>用到的关系</translation>
    </message>
    <message>
      <source>Time</source>
      <translation>用时</translation>
    </message>
    <message>
      <source>Kept</source>
      <translation>保留</translation>
    </message>
    <message>
      <source>Dropped</source>
      <translation>舍去</translation>
    </message>
    <message>
      <source>{part}: {value}</source>
      <translation>{part}：{value}</translation>
    </message>
    <message>
      <source>underlined: not in the passage</source>
      <translation>有下划线的词原文没有</translation>
    </message>
    <message>
      <source>Confirmed by</source>
      <translation>核对依据</translation>
    </message>
    <message>
      <source>Themes</source>
      <translation>主题</translation>
    </message>
    <message>
      <source>Names</source>
      <translation>实体</translation>
    </message>
    <message>
      <source>Open {name}</source>
      <translation>打开“{name}”</translation>
    </message>
    <message>
      <source>Names found</source>
      <translation>找到的实体</translation>
    </message>
    <message>
      <source>No name of your library was recognised in the question.</source>
      <translation>问题中没有识别出资料库里的实体。</translation>
    </message>
    <message>
      <source>Not confirmed: {n}</source>
      <translation>未通过核对：{n} 句</translation>
    </message>
    <message>
      <source>Confirmed: {n}</source>
      <translation>通过核对：{n} 句</translation>
    </message>
    <message>
      <source>Show all {n}</source>
      <translation>显示全部 {n} 项</translation>
    </message>
    <message>
      <source>Search steps</source>
      <translation>搜索步骤</translation>
    </message>
    <message>
      <source>Search</source>
      <translation>搜索</translation>
    </message>
    <message>
      <source>, </source>
      <translation>、</translation>
    </message>
    <message>
      <source>Checked against</source>
      <translation>核对的原文</translation>
    </message>
    <message>
      <source>This could not be loaded.</source>
      <translation>无法载入。</translation>
    </message>
    <message>
      <source>; </source>
      <translation>；</translation>
    </message>
    <message>
      <source>Ranked by</source>
      <translation>排序依据</translation>
    </message>
    <message>
      <source>Passage {n}, {place}</source>
      <translation>段落 {n}，{place}</translation>
    </message>
    <message>
      <source>Passages and how each was found</source>
      <translation>段落及其找到的方式</translation>
    </message>
    <message>
      <source>Times</source>
      <translation>用时</translation>
    </message>
    <message>
      <source>Source {n}, {place}</source>
      <translation>来源 {n}，{place}</translation>
    </message>
    <message>
      <source>Not in the passage: {words}</source>
      <translation>段落中没有：{words}</translation>
    </message>
    <message>
      <source>Not stored for answers of older versions.</source>
      <translation>旧版本的回答没有保存这些信息。</translation>
    </message>
    <message>
      <source>Answered by the model only. Nothing was looked up in your documents.</source>
      <translation>仅由模型回答，没有查阅您的文档。</translation>
    </message>
    <message>
      <source>This search mode reports no steps.</source>
      <translation>此搜索方式不提供步骤信息。</translation>
    </message>
    <message>
      <source>No passage was found.</source>
      <translation>没有找到段落。</translation>
    </message>
    <message>
      <source>No passage was read by a model.</source>
      <translation>没有段落交给模型阅读。</translation>
    </message>
    <message>
      <source>The sentences of this answer were not checked.</source>
      <translation>这个回答的句子没有核对。</translation>
    </message>
    <message>
      <source>No model was used, so there is no prompt.</source>
      <translation>没有使用模型，因此没有提示词。</translation>
    </message>
    <message>
      <source>The reranker</source>
      <translation>重排模型</translation>
    </message>
    <message>
      <source>Linked names and similarity</source>
      <translation>实体之间的关系和相似程度</translation>
    </message>
    <message>
      <source>Words and meaning, likely answers, names</source>
      <translation>字词和语义、可能的答案、实体</translation>
    </message>
    <message>
      <source>Words and meaning, spread over chapters</source>
      <translation>字词和语义，并分散到各章</translation>
    </message>
    <message>
      <source>Combined with the words and the meaning of the passages beside it. Those places are not stored for answers of older versions.</source>
      <translation>还综合了相邻段落的字词和语义。旧版本的回答没有保存这些名次。</translation>
    </message>
    <message>
      <source>The model doubts that the passage says so</source>
      <translation>模型不确定段落是这样说的</translation>
    </message>
    <message>
      <source>Understanding the question</source>
      <translation>理解问题</translation>
    </message>
    <message>
      <source>Names in the question</source>
      <translation>问题中的实体</translation>
    </message>
    <message>
      <source>Themes and names</source>
      <translation>主题与实体</translation>
    </message>
    <message>
      <source>Passages by words</source>
      <translation>按字词找到的段落</translation>
    </message>
    <message>
      <source>Passages by meaning</source>
      <translation>按语义找到的段落</translation>
    </message>
    <message>
      <source>From name to name</source>
      <translation>从实体到实体</translation>
    </message>
    <message>
      <source>Languages of the documents</source>
      <translation>文档的语言</translation>
    </message>
    <message>
      <source>Names considered</source>
      <translation>考虑过的实体</translation>
    </message>
    <message>
      <source>Connections considered</source>
      <translation>考虑过的关系</translation>
    </message>
    <message>
      <source>Passages of the names</source>
      <translation>实体所在的段落</translation>
    </message>
    <message>
      <source>Passages of the connections</source>
      <translation>关系所在的段落</translation>
    </message>
    <message>
      <source>Passages passed on</source>
      <translation>传递的段落</translation>
    </message>
    <message>
      <source>Names read</source>
      <translation>读到的实体</translation>
    </message>
    <message>
      <source>Connections read</source>
      <translation>读到的关系</translation>
    </message>
    <message>
      <source>Passages read</source>
      <translation>读到的段落</translation>
    </message>
    <message>
      <source>Passages read one by one</source>
      <translation>逐段阅读的段落</translation>
    </message>
    <message>
      <source>Answer checked against its passages</source>
      <translation>将回答与原文核对</translation>
    </message>
    <message>
      <source>Words and meaning, including neighbouring passages</source>
      <translation>字词和语义，含相邻段落</translation>
    </message>
    <message>
      <source>Meaning, names and connections in turn</source>
      <translation>语义、实体、关系轮流</translation>
    </message>
    <message>
      <source>Mentions of the names</source>
      <translation>实体的提及次数</translation>
    </message>
    <message>
      <source>Connections</source>
      <translation>关系</translation>
    </message>
    <message>
      <source>Names and connections in turn</source>
      <translation>实体、关系轮流</translation>
    </message>
    <message>
      <source>Meaning</source>
      <translation>语义</translation>
    </message>
    <message>
      <source>Words of the question</source>
      <translation>问题中的字词</translation>
    </message>
    <message>
      <source>Answered: {n} of {m} sentences confirmed</source>
      <translation>已回答：{m} 句中 {n} 句通过核对</translation>
    </message>
    <message>
      <source>It cites no passage</source>
      <translation>没有注明出处</translation>
    </message>
    <message>
      <source>It only repeats the question</source>
      <translation>只是重复了问题</translation>
    </message>
    <message>
      <source>It is what somebody in the text says</source>
      <translation>这是文中人物自己的话</translation>
    </message>
    <message>
      <source>Its passage only asks so</source>
      <translation>原文只是在问</translation>
    </message>
    <message>
      <source>Its sentence does not say what it is the reason of</source>
      <translation>原句没有说明它是哪件事的原因</translation>
    </message>
    <message>
      <source>The speech does not name the person asked about</source>
      <translation>这段话没有提到所问的人</translation>
    </message>
    <message>
      <source>Its sentence does not say whose relative it is</source>
      <translation>原句没有说明这是谁的亲属</translation>
    </message>
    <message>
      <source>Its sentence does not say that it was the first or last time</source>
      <translation>原句没有说明这是第一次或最后一次</translation>
    </message>
    <message>
      <source>It answers another part of the question</source>
      <translation>它回答的是问题的另一部分</translation>
    </message>
    <message>
      <source>It only gives another name</source>
      <translation>只是给出了另一个名字</translation>
    </message>
    <message>
      <source>{n} ms</source>
      <translation>{n} 毫秒</translation>
    </message>
    <message>
      <source>answer checked</source>
      <translation>核对回答</translation>
    </message>
    <message>
      <source>Words</source>
      <translation>字词</translation>
    </message>
    <message>
      <source>by words</source>
      <translation>按字词</translation>
    </message>
    <message>
      <source>by meaning</source>
      <translation>按语义</translation>
    </message>
    <message>
      <source>by names</source>
      <translation>按实体</translation>
    </message>
    <message>
      <source>by linked names</source>
      <translation>按关联实体</translation>
    </message>
    <message>
      <source>Mentions of a name</source>
      <translation>提及的实体</translation>
    </message>
    <message>
      <source>by name mentions</source>
      <translation>按提及</translation>
    </message>
    <message>
      <source>by its connections</source>
      <translation>按关系</translation>
    </message>
    <message>
      <source>Reranker</source>
      <translation>重排模型</translation>
    </message>
    <message>
      <source>by reranker</source>
      <translation>按重排</translation>
    </message>
    <message>
      <source>Words, neighbours included</source>
      <translation>字词，包括相邻段落</translation>
    </message>
    <message>
      <source>Meaning, neighbours included</source>
      <translation>语义，包括相邻段落</translation>
    </message>
    <message>
      <source>Words of likely answers</source>
      <translation>可能答案的字词</translation>
    </message>
    <message>
      <source>by likely answers</source>
      <translation>按可能的答案</translation>
    </message>
    <message>
      <source>Names of the question</source>
      <translation>问题中的实体</translation>
    </message>
    <message>
      <source>by names asked for</source>
      <translation>按问题中的实体</translation>
    </message>
    <message>
      <source>Similarity to the question</source>
      <translation>与问题的相似程度</translation>
    </message>
    <message>
      <source>by similarity</source>
      <translation>按相似程度</translation>
    </message>
    <message>
      <source>Words and meaning</source>
      <translation>字词和语义</translation>
    </message>
    <message>
      <source>by words and meaning</source>
      <translation>按字词和语义</translation>
    </message>
    <message>
      <source>Variety of chapters</source>
      <translation>章节分布</translation>
    </message>
    <message>
      <source>by variety of chapters</source>
      <translation>按章节分布</translation>
    </message>
    <message>
      <source>Pinned</source>
      <translation>已固定</translation>
    </message>
    <message>
      <source>pinned by you</source>
      <translation>由您固定</translation>
    </message>
    <message>
      <source>Introduction</source>
      <translation>初次介绍</translation>
    </message>
    <message>
      <source>introduces the name</source>
      <translation>介绍了这个实体</translation>
    </message>
    <message>
      <source>Definition</source>
      <translation>定义</translation>
    </message>
    <message>
      <source>says who or what the name is</source>
      <translation>说明了这个实体是谁或是什么</translation>
    </message>
    <message>
      <source>Stopped before the check</source>
      <translation>核对前已停止</translation>
    </message>
    <message>
      <source>No answer: the model found none</source>
      <translation>没有回答：模型没有找到答案</translation>
    </message>
    <message>
      <source>No answer: nothing was confirmed</source>
      <translation>没有回答：写出的内容均未通过核对</translation>
    </message>
    <message>
      <source>Answered, not checked</source>
      <translation>已回答，未核对</translation>
    </message>
    <message>
      <source>Answered from a table, without a language model</source>
      <translation>由表格直接回答，未使用语言模型</translation>
    </message>
    <message>
      <source>The passage says: “{quote}”</source>
      <translation>原文：“{quote}”</translation>
    </message>
    <message>
      <source>{n} of 100, needs {m}</source>
      <translation>{n} 分，需要 {m} 分（满分 100）</translation>
    </message>
    <message>
      <source>not in passage {n}</source>
      <translation>段落 {n} 中没有</translation>
    </message>
    <message>
      <source>not in the passage</source>
      <translation>段落中没有</translation>
    </message>
    <message>
      <source>The passage</source>
      <translation>段落</translation>
    </message>
    <message>
      <source>{passage} does not say “{word}”</source>
      <translation>{passage} 没有提到“{word}”</translation>
    </message>
    <message>
      <source>{passage} does not name {word}</source>
      <translation>{passage} 没有提到{word}</translation>
    </message>
    <message>
      <source>{passage} says it the other way round</source>
      <translation>{passage} 说的正好相反</translation>
    </message>
    <message>
      <source>{passage} has no {thing} of {owner}</source>
      <translation>{passage} 没有提到“{owner}”的“{thing}”</translation>
    </message>
    <message>
      <source>Only the first {n} sentences are checked</source>
      <translation>只核对前 {n} 句</translation>
    </message>
    <message>
      <source>The model doubts that passage {n} says so</source>
      <translation>模型不确定段落 {n} 是这样说的</translation>
    </message>
    <message>
      <source>{place} together: {parts}</source>
      <translation>综合{place}：{parts}</translation>
    </message>
    <message>
      <source>Passages are read in turn until one gives an answer that stands.</source>
      <translation>逐段阅读，直到某段给出通过核对的答案为止。</translation>
    </message>
    <message>
      <source>The next passage does not fit: {used} of {budget} tokens for passages are used. “Tokens in total” in the advanced options of a question changes this.</source>
      <translation>下一个段落已放不下：段落可用 {budget} 个词元，已用 {used} 个。可在提问的高级选项中用“词元总数”更改。</translation>
    </message>
    <message>
      <source>No answer: nothing close was found</source>
      <translation>没有回答：没有找到相近的段落</translation>
    </message>
    <message>
      <source>No answer: no language model is installed</source>
      <translation>没有回答：没有安装语言模型</translation>
    </message>
    <message>
      <source>No confirmed answer</source>
      <translation>没有通过核对的回答</translation>
    </message>
    <message>
      <source>The passage says so almost word for word.</source>
      <translation>与原文几乎一字不差。</translation>
    </message>
    <message>
      <source>Reason</source>
      <translation>原因</translation>
    </message>
    <message>
      <source>Certainty</source>
      <translation>把握</translation>
    </message>
    <message>
      <source>Underlined</source>
      <translation>下划线</translation>
    </message>
    <message>
      <source>all in passage {n}</source>
      <translation>段落 {n} 中都有</translation>
    </message>
    <message>
      <source>all in the passage</source>
      <translation>段落中都有</translation>
    </message>
    <message>
      <source>joint {place}</source>
      <translation>并列{place}</translation>
    </message>
    <message>
      <source>{place} {route}</source>
      <translation>{route}{place}</translation>
    </message>
    <message>
      <source>ranked {places}</source>
      <translation>排名：{places}</translation>
    </message>
    <message>
      <source>The next passage does not fit into the prompt of this model.</source>
      <translation>此模型的提示词已放不下下一个段落。</translation>
    </message>
    <message>
      <source>{part}: {place} of {n}, score {value}</source>
      <translation>{part}：第 {place} 位（共 {n} 段），得分 {value}</translation>
    </message>
    <message>
      <source>reading the prompt</source>
      <translation>读提示词</translation>
    </message>
    <message>
      <source>writing</source>
      <translation>写作</translation>
    </message>
    <message>
      <source>Asked</source>
      <translation>提问</translation>
    </message>
    <message>
      <source>Understood as</source>
      <translation>理解为</translation>
    </message>
    <message>
      <source>Search mode</source>
      <translation>搜索方式</translation>
    </message>
    <message>
      <source>Model</source>
      <translation>模型</translation>
    </message>
    <message>
      <source>Ended</source>
      <translation>结束</translation>
    </message>
    <message>
      <source>First word</source>
      <translation>首字</translation>
    </message>
    <message>
      <source>Total time</source>
      <translation>总用时</translation>
    </message>
    <message>
      <source>words</source>
      <translation>字词</translation>
    </message>
    <message>
      <source>meaning</source>
      <translation>语义</translation>
    </message>
    <message>
      <source>names</source>
      <translation>实体</translation>
    </message>
    <message>
      <source>walk</source>
      <translation>游走</translation>
    </message>
    <message>
      <source>entity</source>
      <translation>实体</translation>
    </message>
    <message>
      <source>relation</source>
      <translation>关系</translation>
    </message>
    <message>
      <source>reranker</source>
      <translation>重排</translation>
    </message>
    <message>
      <source>embedding</source>
      <translation>向量</translation>
    </message>
    <message>
      <source>index</source>
      <translation>索引</translation>
    </message>
    <message>
      <source>graph</source>
      <translation>图谱</translation>
    </message>
    <message>
      <source>local</source>
      <translation>局部</translation>
    </message>
    <message>
      <source>global</source>
      <translation>全局</translation>
    </message>
    <message>
      <source>passages</source>
      <translation>段落</translation>
    </message>
    <message>
      <source>themes</source>
      <translation>主题</translation>
    </message>
    <message>
      <source>books</source>
      <translation>书目</translation>
    </message>
    <message>
      <source>scope</source>
      <translation>范围</translation>
    </message>
    <message>
      <source>fit</source>
      <translation>取舍</translation>
    </message>
    <message>
      <source>context</source>
      <translation>上下文</translation>
    </message>
    <message>
      <source>follow-up</source>
      <translation>追问</translation>
    </message>
    <message>
      <source>reports</source>
      <translation>报告</translation>
    </message>
    <message>
      <source>questions</source>
      <translation>问题</translation>
    </message>
    <message>
      <source>keywords by the model</source>
      <translation>模型提取关键词</translation>
    </message>
    <message>
      <source>names in the context</source>
      <translation>上下文中的实体</translation>
    </message>
    <message>
      <source>relations in the context</source>
      <translation>上下文中的关系</translation>
    </message>
    <message>
      <source>keywords</source>
      <translation>关键词</translation>
    </message>
    <message>
      <source>entities</source>
      <translation>实体</translation>
    </message>
    <message>
      <source>relations</source>
      <translation>关系</translation>
    </message>
    <message>
      <source>asked in the language of the sources</source>
      <translation>用来源的语言提问</translation>
    </message>
    <message>
      <source>read one by one</source>
      <translation>逐段阅读</translation>
    </message>
    <message>
      <source>languages</source>
      <translation>语言</translation>
    </message>
    <message>
      <source>The passage says so word for word.</source>
      <translation>与原文一字不差。</translation>
    </message>
    <message>
      <source>contains {words}</source>
      <translation>含{words}</translation>
    </message>
    <message>
      <source>other steps</source>
      <translation>其他步骤</translation>
    </message>
    <message>
      <source>stopped early</source>
      <translation>提前停止</translation>
    </message>
    <message>
      <source>after {time}</source>
      <translation>{time}后</translation>
    </message>
    <message>
      <source>Short</source>
      <translation>简短</translation>
    </message>
    <message>
      <source>Short answer</source>
      <translation>简短回答</translation>
    </message>
    <message>
      <source>One or two sentences</source>
      <translation>一两句话</translation>
    </message>
    <message>
      <source>Medium</source>
      <translation>适中</translation>
    </message>
    <message>
      <source>Medium answer</source>
      <translation>中等长度</translation>
    </message>
    <message>
      <source>A short paragraph</source>
      <translation>一小段</translation>
    </message>
    <message>
      <source>Long</source>
      <translation>详细</translation>
    </message>
    <message>
      <source>Long answer</source>
      <translation>较长回答</translation>
    </message>
    <message>
      <source>Several paragraphs; takes longer</source>
      <translation>分几段写，用时较长</translation>
    </message>
    <message>
      <source>Points</source>
      <translation>要点</translation>
    </message>
    <message>
      <source>Bullet points</source>
      <translation>要点</translation>
    </message>
    <message>
      <source>A list of points</source>
      <translation>列成要点</translation>
    </message>
    <message>
      <source>Advanced</source>
      <translation>高级</translation>
    </message>
    <message>
      <source>Reset to defaults</source>
      <translation>恢复默认</translation>
    </message>
    <message>
      <source>Answer options</source>
      <translation>回答选项</translation>
    </message>
    <message>
      <source>Answer options: {changed}</source>
      <translation>回答选项：{changed}</translation>
    </message>
    <message>
      <source>All documents</source>
      <translation>全部文档</translation>
    </message>
    <message>
      <source>Answer length: {form}</source>
      <translation>回答长度：{form}</translation>
    </message>
    <message>
      <source>Other models…</source>
      <translation>其他模型…</translation>
    </message>
    <message>
      <source>No model</source>
      <translation>没有模型</translation>
    </message>
    <message>
      <source>Model: {model}</source>
      <translation>模型：{model}</translation>
    </message>
    <message>
      <source>Search mode: {title}. {use}</source>
      <translation>搜索方式：{title}。{use}</translation>
    </message>
    <message>
      <source>Search mode: {title}</source>
      <translation>搜索方式：{title}</translation>
    </message>
    <message>
      <source>Only these collections</source>
      <translation>仅这些合集</translation>
    </message>
    <message>
      <source>Only these documents</source>
      <translation>仅这些文档</translation>
    </message>
    <message>
      <source>Find a document</source>
      <translation>查找文档</translation>
    </message>
    <message>
      <source>Documents</source>
      <translation>文档</translation>
    </message>
    <message>
      <source>Collections</source>
      <translation>合集</translation>
    </message>
    <message>
      <source>Documents: {names}</source>
      <translation>文档：{names}</translation>
    </message>
    <message>
      <source>{count}: {names}</source>
      <translation>{count}：{names}</translation>
    </message>
    <message>
      <source>Answer length</source>
      <translation>回答长度</translation>
    </message>
    <message>
      <source>Options</source>
      <translation>选项</translation>
    </message>
    <message>
      <source>All</source>
      <translation>全部</translation>
    </message>
    <message>
      <source>at {share}%</source>
      <translation>位于 {share}% 处</translation>
    </message>
    <message>
      <source>at the beginning</source>
      <translation>开头</translation>
    </message>
    <message>
      <source>Unpin all</source>
      <translation>全部取消固定</translation>
    </message>
    <message>
      <source>Pinned for the next questions: {places}</source>
      <translation>已为后续提问固定：{places}</translation>
    </message>
    <message>
      <source>Without your documents: the model answers from memory and may be wrong.</source>
      <translation>不查阅文档：模型凭记忆回答，可能有误。</translation>
    </message>
    <message>
      <source>{n} of {m} passages are indexed; you can ask now.</source>
      <translation>已索引 {n}/{m} 个段落，现在就可以提问。</translation>
    </message>
    <message>
      <source>Searches only: {names}.</source>
      <translation>仅搜索：{names}。</translation>
    </message>
    <message>
      <source>This model answers from the next question on.</source>
      <translation>从下一个问题起由此模型回答。</translation>
    </message>
    <message>
      <source>Show</source>
      <translation>显示</translation>
    </message>
    <message>
      <source>Strong match</source>
      <translation>高度相关</translation>
    </message>
    <message>
      <source>Good match</source>
      <translation>相关</translation>
    </message>
    <message>
      <source>Source {n}</source>
      <translation>来源 {n}</translation>
    </message>
    <message>
      <source>Weak match</source>
      <translation>关联较弱</translation>
    </message>
    <message>
      <source>Relevance: {share}% of the best passage</source>
      <translation>相关度：最佳段落的 {share}%</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>打开</translation>
    </message>
    <message>
      <source>Open passage {n}</source>
      <translation>打开段落 {n}</translation>
    </message>
    <message>
      <source>Open in the reader</source>
      <translation>在阅读器中打开</translation>
    </message>
    <message>
      <source>Unpin</source>
      <translation>取消固定</translation>
    </message>
    <message>
      <source>Pin for the next questions</source>
      <translation>为后续提问固定</translation>
    </message>
    <message>
      <source>Show less</source>
      <translation>收起</translation>
    </message>
    <message>
      <source>Show the whole passage</source>
      <translation>显示整个段落</translation>
    </message>
    <message>
      <source>Remove</source>
      <translation>移除</translation>
    </message>
    <message>
      <source>Done: {steps}</source>
      <translation>已完成：{steps}</translation>
    </message>
    <message>
      <source>Next: {steps}</source>
      <translation>接下来：{steps}</translation>
    </message>
    <message>
      <source>Answers are written from passages of your documents. Each sentence is checked against its source.</source>
      <translation>回答根据文档中的段落写成，每一句都与原文核对。</translation>
    </message>
    <message>
      <source>Add documents to the library first. You can ask as soon as the first chapters are indexed.</source>
      <translation>请先向资料库添加文档。前几章索引完成后即可提问。</translation>
    </message>
    <message>
      <source>Ask your documents</source>
      <translation>向您的文档提问</translation>
    </message>
    <message>
      <source>Conversation</source>
      <translation>对话</translation>
    </message>
    <message>
      <source>See how each passage was found</source>
      <translation>查看每个段落是如何找到的</translation>
    </message>
    <message>
      <source>{passages} of {documents} were found. None of them is cited.</source>
      <translation>在{documents}中找到{passages}，均未引用。</translation>
    </message>
    <message>
      <source>{reason}.</source>
      <translation>{reason}。</translation>
    </message>
    <message>
      <source>Not confirmed: see {passage}.</source>
      <translation>未通过核对：见{passage}。</translation>
    </message>
    <message>
      <source>The first: {reason}.</source>
      <translation>第一句：{reason}。</translation>
    </message>
    <message>
      <source>Perhaps “{answer}”.</source>
      <translation>可能是：{answer}。</translation>
    </message>
    <message>
      <source>No written answer.</source>
      <translation>没有生成回答。</translation>
    </message>
    <message>
      <source>Answer again; both answers are kept</source>
      <translation>重新回答；两个回答都会保留</translation>
    </message>
    <message>
      <source>Hide {part}</source>
      <translation>收起{part}</translation>
    </message>
    <message>
      <source>Show {part}</source>
      <translation>展开{part}</translation>
    </message>
    <message>
      <source>Copy this answer</source>
      <translation>复制此回答</translation>
    </message>
    <message>
      <source>Copy with sources</source>
      <translation>复制（含来源）</translation>
    </message>
    <message>
      <source>Copy without sources</source>
      <translation>复制（不含来源）</translation>
    </message>
    <message>
      <source>Export</source>
      <translation>导出</translation>
    </message>
    <message>
      <source>Save this answer as a file</source>
      <translation>将此回答保存为文件</translation>
    </message>
    <message>
      <source>Ask again</source>
      <translation>再问一次</translation>
    </message>
    <message>
      <source>Graph</source>
      <translation>图谱</translation>
    </message>
    <message>
      <source>Show this answer in the graph</source>
      <translation>在图谱中显示这个回答</translation>
    </message>
    <message>
      <source>Edit the question</source>
      <translation>修改问题</translation>
    </message>
    <message>
      <source>Previous version</source>
      <translation>上一个版本</translation>
    </message>
    <message>
      <source>Next version</source>
      <translation>下一个版本</translation>
    </message>
    <message>
      <source>Ask next</source>
      <translation>接着问</translation>
    </message>
    <message>
      <source>Stopped</source>
      <translation>已停止</translation>
    </message>
    <message>
      <source>This question has no answer yet.</source>
      <translation>这个问题还没有回答。</translation>
    </message>
    <message>
      <source>Stopped before there was an answer.</source>
      <translation>还没有回答就停止了。</translation>
    </message>
    <message>
      <source>Ask the model anyway</source>
      <translation>仍然询问模型</translation>
    </message>
    <message>
      <source>Ask this</source>
      <translation>问这个问题</translation>
    </message>
    <message>
      <source>Not asked yet</source>
      <translation>尚未提问</translation>
    </message>
    <message>
      <source>Retry</source>
      <translation>重试</translation>
    </message>
    <message>
      <source>Get a model</source>
      <translation>获取模型</translation>
    </message>
    <message>
      <source>Hide</source>
      <translation>隐藏</translation>
    </message>
    <message>
      <source>{n}th</source>
      <translation>第 {n} 位</translation>
    </message>
    <message>
      <source>Working…</source>
      <translation>处理中…</translation>
    </message>
    <message>
      <source>{n}st</source>
      <translation>第 {n} 位</translation>
    </message>
    <message>
      <source>{n}nd</source>
      <translation>第 {n} 位</translation>
    </message>
    <message>
      <source>{n}rd</source>
      <translation>第 {n} 位</translation>
    </message>
    <message>
      <source>Asking the model…</source>
      <translation>正在询问模型…</translation>
    </message>
    <message>
      <source>Finding passages…</source>
      <translation>正在查找段落…</translation>
    </message>
    <message>
      <source>Loading the model into memory…</source>
      <translation>正在将模型加载到内存…</translation>
    </message>
    <message>
      <source>Reading…</source>
      <translation>正在阅读…</translation>
    </message>
    <message>
      <source>Checking against the other passages…</source>
      <translation>正在与其他段落核对…</translation>
    </message>
    <message>
      <source>Answering…</source>
      <translation>正在回答…</translation>
    </message>
    <message>
      <source>Checking the answer…</source>
      <translation>正在核对回答…</translation>
    </message>
    <message>
      <source>Translating…</source>
      <translation>正在翻译…</translation>
    </message>
    <message>
      <source>Reading reports: {n} of {m}…</source>
      <translation>正在阅读报告：{n}/{m}…</translation>
    </message>
    <message>
      <source>Asking follow-up questions: {n} of {m}…</source>
      <translation>正在提出后续问题：{n}/{m}…</translation>
    </message>
    <message>
      <source>None of the model's {n} sentences was confirmed.</source>
      <translation>模型写的 {n} 句均未通过核对。</translation>
    </message>
    <message>
      <source>Waiting: {place} in line</source>
      <translation>等待中：排在{place}</translation>
    </message>
    <message>
      <source>Passages found</source>
      <translation>已找到段落</translation>
    </message>
    <message>
      <source>find passages</source>
      <translation>查找段落</translation>
    </message>
    <message>
      <source>Model ready</source>
      <translation>模型已就绪</translation>
    </message>
    <message>
      <source>load the model</source>
      <translation>加载模型</translation>
    </message>
    <message>
      <source>read</source>
      <translation>阅读</translation>
    </message>
    <message>
      <source>Written</source>
      <translation>已写出</translation>
    </message>
    <message>
      <source>write</source>
      <translation>撰写</translation>
    </message>
    <message>
      <source>check</source>
      <translation>核对</translation>
    </message>
    <message>
      <source>Passages that may answer this</source>
      <translation>可能回答此问题的段落</translation>
    </message>
    <message>
      <source>{name} does not occur in your documents.</source>
      <translation>您的文档中没有出现{name}。</translation>
    </message>
    <message>
      <source>No passage was found that clearly says yes or no.</source>
      <translation>没有找到明确说明是或否的段落。</translation>
    </message>
    <message>
      <source>No passage that was found answers the question.</source>
      <translation>找到的段落都没有回答这个问题。</translation>
    </message>
    <message>
      <source>No language model is installed, so these are the passages themselves.</source>
      <translation>尚未安装语言模型，因此直接显示段落。</translation>
    </message>
    <message>
      <source>The model found no answer in the passages that it read.</source>
      <translation>模型在读过的段落中没有找到答案。</translation>
    </message>
    <message>
      <source>What the model wrote was not confirmed.</source>
      <translation>模型写的内容未通过核对。</translation>
    </message>
    <message>
      <source>The model's sentence was not confirmed.</source>
      <translation>模型写的这句话未通过核对。</translation>
    </message>
    <message>
      <source>Reading passage {n} of {m}…</source>
      <translation>正在阅读第 {n} 段（共 {m} 段）…</translation>
    </message>
    <message>
      <source>Loading the model into memory, usually about {time}…</source>
      <translation>正在将模型加载到内存，通常约需 {time}…</translation>
    </message>
    <message>
      <source>Waiting: next in line</source>
      <translation>等待中：下一个就是</translation>
    </message>
    <message>
      <source>The answer could not be written. Your question is kept; try again.</source>
      <translation>回答没有写成。问题已保留，请重试。</translation>
    </message>
    <message>
      <source>Nearest passages</source>
      <translation>最接近的段落</translation>
    </message>
    <message>
      <source>The passages below can be read already.</source>
      <translation>现在就可以阅读下面的段落。</translation>
    </message>
    <message numerus="yes">
      <source>From {n} passages</source>
      <translation>
        <numerusform>出自 {n} 个段落</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Unconfirmed guesses</source>
      <translation>
        <numerusform>未通过核对的猜测</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} passages</source>
      <translation>
        <numerusform>{n} 个段落</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} sentences</source>
      <translation>
        <numerusform>{n} 句</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>and {n} more</source>
      <translation>
        <numerusform>还有 {n} 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>No answer: {n} sentences not confirmed</source>
      <translation>
        <numerusform>没有回答：{n} 句未通过核对</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Answered: {n} sentences confirmed</source>
      <translation>
        <numerusform>已回答：{n} 句通过核对</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} words</source>
      <translation>
        <numerusform>{n} 个词</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} names</source>
      <translation>
        <numerusform>{n} 个实体</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} kept</source>
      <translation>
        <numerusform>保留 {n} 项</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} dropped</source>
      <translation>
        <numerusform>舍去 {n} 项</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} tokens</source>
      <translation>
        <numerusform>{n} 个词元</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} documents</source>
      <translation>
        <numerusform>{n} 个文档</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} collections</source>
      <translation>
        <numerusform>{n} 个合集</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} questions were not asked before Inkgraph ended.</source>
      <translation>
        <numerusform>Inkgraph 结束前有 {n} 个问题尚未提问。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Show {n} more passages</source>
      <translation>
        <numerusform>显示另外 {n} 个段落</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} sources</source>
      <translation>
        <numerusform>{n} 个来源</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} passages found</source>
      <translation>
        <numerusform>找到 {n} 个段落</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Let the model read {n} more</source>
      <translation>
        <numerusform>让模型再读 {n} 段</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Show them</source>
      <translation>
        <numerusform>显示</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>None of the {n} passages that were read seems to have the answer.</source>
      <translation>
        <numerusform>读过的 {n} 个段落中似乎都没有答案。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Reading {n} passages…</source>
      <translation>
        <numerusform>正在阅读 {n} 个段落…</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} read</source>
      <translation>
        <numerusform>已阅读 {n} 个</numerusform>
      </translation>
    </message>
  </context>
</TS>

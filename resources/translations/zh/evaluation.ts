<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>p. {page}</source>
      <translation>第 {page} 页</translation>
    </message>
    <message>
      <source>Open in the reader</source>
      <translation>在阅读器中打开</translation>
    </message>
    <message>
      <source>Question {n}: {text}</source>
      <translation>问题 {n}：{text}</translation>
    </message>
    <message>
      <source>Expected: {answer}</source>
      <translation>预期答案：{answer}</translation>
    </message>
    <message>
      <source>Not asked yet.</source>
      <translation>尚未提问。</translation>
    </message>
    <message>
      <source>wrong</source>
      <translation>错误</translation>
    </message>
    <message>
      <source>right</source>
      <translation>正确</translation>
    </message>
    <message>
      <source>Where it stands</source>
      <translation>出处</translation>
    </message>
    <message>
      <source>Passages that were found:</source>
      <translation>找到的段落：</translation>
    </message>
    <message>
      <source>Nothing near was found.</source>
      <translation>没有找到相近的内容。</translation>
    </message>
    <message>
      <source>{model} (needs {size} of memory)</source>
      <translation>{model}（需要 {size} 内存）</translation>
    </message>
    <message>
      <source>No chat model is installed, so only passages are found and compared.</source>
      <translation>尚未安装对话模型，因此只查找并比较段落。</translation>
    </message>
    <message>
      <source>Size of a prompt</source>
      <translation>提示词长度</translation>
    </message>
    <message>
      <source>{n} tokens</source>
      <translation>{n} 个词元</translation>
    </message>
    <message>
      <source>How much text a model reads for a question</source>
      <translation>每个问题让模型读多少文字</translation>
    </message>
    <message>
      <source>More modes and settings</source>
      <translation>更多搜索方式和设置</translation>
    </message>
    <message>
      <source>Without a model: passages are only found, in seconds</source>
      <translation>不用模型：只查找段落，几秒即可</translation>
    </message>
    <message>
      <source>Chat models: who writes the answers</source>
      <translation>对话模型：由谁来写回答</translation>
    </message>
    <message>
      <source>Fewer modes and settings</source>
      <translation>收起更多搜索方式和设置</translation>
    </message>
    <message>
      <source>{size} (usual)</source>
      <translation>{size}（通常）</translation>
    </message>
    <message>
      <source>Other modes</source>
      <translation>其他搜索方式</translation>
    </message>
    <message>
      <source>Modes: how passages are found</source>
      <translation>搜索方式：怎样查找段落</translation>
    </message>
    <message>
      <source>Measure</source>
      <translation>指标</translation>
    </message>
    <message>
      <source>First</source>
      <translation>第一列</translation>
    </message>
    <message>
      <source>Second</source>
      <translation>第二列</translation>
    </message>
    <message>
      <source>Difference, 95% interval</source>
      <translation>差异（95% 区间）</translation>
    </message>
    <message>
      <source>Better, worse, equal</source>
      <translation>更好、更差、相同</translation>
    </message>
    <message>
      <source>How sure it is</source>
      <translation>把握程度</translation>
    </message>
    <message>
      <source>Back</source>
      <translation>返回</translation>
    </message>
    <message>
      <source>First column</source>
      <translation>第一列</translation>
    </message>
    <message>
      <source>Second column</source>
      <translation>第二列</translation>
    </message>
    <message>
      <source>Comparison</source>
      <translation>比较</translation>
    </message>
    <message>
      <source>A difference is the first minus the second.</source>
      <translation>差异为第一列减第二列。</translation>
    </message>
    <message>
      <source>{difference} ({low} to {high})</source>
      <translation>{difference}（{low} 至 {high}）</translation>
    </message>
    <message>
      <source>Settings or versions differ.</source>
      <translation>设置或版本不同。</translation>
    </message>
    <message>
      <source>Evaluation {n}</source>
      <translation>评测 {n}</translation>
    </message>
    <message>
      <source>Compare</source>
      <translation>比较</translation>
    </message>
    <message>
      <source>Pause</source>
      <translation>暂停</translation>
    </message>
    <message>
      <source>Continue</source>
      <translation>继续</translation>
    </message>
    <message>
      <source>Stop</source>
      <translation>停止</translation>
    </message>
    <message>
      <source>The answers so far are kept</source>
      <translation>已有的回答会保留</translation>
    </message>
    <message>
      <source>Stopping…</source>
      <translation>正在停止…</translation>
    </message>
    <message>
      <source>Paused: {work}</source>
      <translation>已暂停：{work}</translation>
    </message>
    <message>
      <source>Propose questions</source>
      <translation>拟定问题</translation>
    </message>
    <message>
      <source>Number of questions</source>
      <translation>问题数量</translation>
    </message>
    <message>
      <source>Written by</source>
      <translation>由谁撰写</translation>
    </message>
    <message>
      <source>No model: a name is left out of a sentence</source>
      <translation>不用模型：从句子中略去一个名称</translation>
    </message>
    <message>
      <source>The model needs about a minute for each question, and small models write few that are kept: an answer has to stand in its passage.</source>
      <translation>模型写每个问题约需一分钟；小模型写的问题很少能保留，因为答案必须出现在段落中。</translation>
    </message>
    <message>
      <source>Each takes a moment, has one answer, and is easy: it has words of its place.</source>
      <translation>每个问题只需片刻，只有一个答案，而且较容易，因为它含有出处的原词。</translation>
    </message>
    <message>
      <source>Questions are proposed about passages from all documents, each with the place where its answer stands. Read them, and remove or correct poor ones.</source>
      <translation>根据所有文档中的段落拟定问题，每个问题都附有答案的出处。请阅读这些问题，删除或改正不好的。</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>Propose</source>
      <translation>拟定</translation>
    </message>
    <message>
      <source>All questions ({n})</source>
      <translation>全部问题（{n}）</translation>
    </message>
    <message>
      <source>Columns differ ({n})</source>
      <translation>各列不同（{n}）</translation>
    </message>
    <message>
      <source>Wrong answers ({n})</source>
      <translation>回答错误（{n}）</translation>
    </message>
    <message>
      <source>Questions of the evaluation</source>
      <translation>评测的问题</translation>
    </message>
    <message>
      <source>{column}: {mark}</source>
      <translation>{column}：{mark}</translation>
    </message>
    <message>
      <source>Question</source>
      <translation>问题</translation>
    </message>
    <message>
      <source>Expected answer</source>
      <translation>预期答案</translation>
    </message>
    <message>
      <source>Not in the documents</source>
      <translation>文档中没有</translation>
    </message>
    <message>
      <source>The answer is in the documents</source>
      <translation>文档中有答案</translation>
    </message>
    <message>
      <source>Questions</source>
      <translation>问题</translation>
    </message>
    <message>
      <source>Remove the questions</source>
      <translation>移除这些问题</translation>
    </message>
    <message>
      <source>Show where the answer stands</source>
      <translation>显示答案的出处</translation>
    </message>
    <message>
      <source>Edit</source>
      <translation>编辑</translation>
    </message>
    <message>
      <source>Remove</source>
      <translation>移除</translation>
    </message>
    <message>
      <source>Results</source>
      <translation>结果</translation>
    </message>
    <message>
      <source>Below each value: the range in which it is with 95% certainty</source>
      <translation>每个数值下方：有 95% 把握的范围</translation>
    </message>
    <message>
      <source>No question has this measure.</source>
      <translation>没有问题有此指标。</translation>
    </message>
    <message>
      <source>95% of them: at most {n}</source>
      <translation>其中 95%：不超过 {n}</translation>
    </message>
    <message>
      <source>Better than each other column, and hardly by chance.</source>
      <translation>优于其他每一列，而且几乎不可能是偶然。</translation>
    </message>
    <message>
      <source>New evaluation</source>
      <translation>新评测</translation>
    </message>
    <message>
      <source>Questions, and what is compared</source>
      <translation>问题和比较对象</translation>
    </message>
    <message>
      <source>Evaluations</source>
      <translation>评测</translation>
    </message>
    <message>
      <source>Use these questions</source>
      <translation>使用这些问题</translation>
    </message>
    <message>
      <source>Compare…</source>
      <translation>比较…</translation>
    </message>
    <message>
      <source>More</source>
      <translation>更多</translation>
    </message>
    <message>
      <source>Which questions</source>
      <translation>哪些问题</translation>
    </message>
    <message>
      <source>No question fits the filter</source>
      <translation>没有符合筛选条件的问题</translation>
    </message>
    <message>
      <source>{first} against {second}: {verdict}</source>
      <translation>{first} 对比 {second}：{verdict}</translation>
    </message>
    <message>
      <source>{judge} on {first} against {second}, {criterion}: {verdict}</source>
      <translation>{judge} 评判 {first} 对比 {second}，{criterion}：{verdict}</translation>
    </message>
    <message>
      <source>Delete this evaluation…</source>
      <translation>删除此评测…</translation>
    </message>
    <message>
      <source>Let a model judge the answers</source>
      <translation>让模型评判回答</translation>
    </message>
    <message>
      <source>Ask the questions of this evaluation again, in other columns</source>
      <translation>用其他列再次提出此评测的问题</translation>
    </message>
    <message>
      <source>Compare two columns, also of an earlier evaluation</source>
      <translation>比较两列，也可以是以前评测的列</translation>
    </message>
    <message>
      <source>{count}, the first: {reason}</source>
      <translation>{count}，第一个：{reason}</translation>
    </message>
    <message>
      <source>The columns do not differ in this measure.</source>
      <translation>各列在此指标上没有差异。</translation>
    </message>
    <message>
      <source>Export as a table (CSV)…</source>
      <translation>导出为表格 (CSV)…</translation>
    </message>
    <message>
      <source>Export for reading (Markdown)…</source>
      <translation>导出供阅读 (Markdown)…</translation>
    </message>
    <message>
      <source>Export everything (JSON)…</source>
      <translation>导出全部内容 (JSON)…</translation>
    </message>
    <message>
      <source>Questions (*.jsonl *.json *.ndjson *.csv *.tsv *.txt);;All files (*)</source>
      <translation>问题 (*.jsonl *.json *.ndjson *.csv *.tsv *.txt);;所有文件 (*)</translation>
    </message>
    <message>
      <source>Export the evaluation</source>
      <translation>导出评测</translation>
    </message>
    <message>
      <source>Written to “{file}”.</source>
      <translation>已写入“{file}”。</translation>
    </message>
    <message>
      <source>Evaluation</source>
      <translation>评测</translation>
    </message>
    <message>
      <source>All evaluations</source>
      <translation>全部评测</translation>
    </message>
    <message>
      <source>Which mode and model answer your own questions best</source>
      <translation>哪种搜索方式和模型最能回答您自己的问题</translation>
    </message>
    <message>
      <source>Made of sentences of your documents, without a chat model</source>
      <translation>由文档中的句子生成，不用对话模型</translation>
    </message>
    <message>
      <source>Write questions</source>
      <translation>自己写问题</translation>
    </message>
    <message>
      <source>Open a file…</source>
      <translation>打开文件…</translation>
    </message>
    <message>
      <source>Which search and which model are good on your documents?</source>
      <translation>哪种搜索方式、哪个模型最适合您的文档？</translation>
    </message>
    <message>
      <source>Questions with known answers are asked in several ways; you see which one finds the right places and gives the right answers. Begin with proposed questions, then click “Run”: both take about a minute and need no chat model.</source>
      <translation>用几种方式提出答案已知的问题，看哪种方式能找到正确的位置、给出正确的回答。可以先自动拟定问题，再点“运行”：两步各约一分钟，不需要对话模型。</translation>
    </message>
    <message>
      <source>Start or continue the evaluation</source>
      <translation>开始或继续评测</translation>
    </message>
    <message>
      <source>Delete the evaluation</source>
      <translation>删除评测</translation>
    </message>
    <message>
      <source>Open a file of questions</source>
      <translation>打开问题文件</translation>
    </message>
    <message>
      <source>{n} not kept: {reason}.</source>
      <translation>{n} 个未保留：{reason}。</translation>
    </message>
    <message>
      <source>Read them, and remove poor ones.</source>
      <translation>请阅读这些问题，并删除不好的。</translation>
    </message>
    <message>
      <source>Another evaluation is running or paused.</source>
      <translation>另一个评测正在运行或已暂停。</translation>
    </message>
    <message>
      <source>Delete the evaluation “{title}” with its answers? This can't be undone.</source>
      <translation>要删除评测“{title}”及其回答吗？此操作无法撤销。</translation>
    </message>
    <message>
      <source>Undo</source>
      <translation>撤销</translation>
    </message>
    <message>
      <source>Stop the evaluation before you delete it.</source>
      <translation>请先停止评测再删除。</translation>
    </message>
    <message>
      <source>Delete</source>
      <translation>删除</translation>
    </message>
    <message>
      <source>Proposed questions</source>
      <translation>拟定的问题</translation>
    </message>
    <message>
      <source>This evidence stands nowhere word for word; its words are looked for.</source>
      <translation>没有找到与这段依据逐字相同的原文；将按其中的词语查找。</translation>
    </message>
    <message>
      <source>The evaluation is finished.</source>
      <translation>评测已完成。</translation>
    </message>
    <message>
      <source>{questions} in {columns}</source>
      <translation>{questions}，{columns}</translation>
    </message>
    <message>
      <source>{work}: {duration} (estimate).</source>
      <translation>{work}：{duration}（估计）。</translation>
    </message>
    <message>
      <source>{work}; how fast {models} is will be seen.</source>
      <translation>{work}；{models} 的速度尚不清楚。</translation>
    </message>
    <message>
      <source>{work}: {duration}, as earlier answers took.</source>
      <translation>{work}：{duration}，按以前回答所用的时间。</translation>
    </message>
    <message>
      <source>Add a question</source>
      <translation>添加问题</translation>
    </message>
    <message>
      <source>Propose…</source>
      <translation>拟定…</translation>
    </message>
    <message>
      <source>Remove all</source>
      <translation>全部移除</translation>
    </message>
    <message>
      <source>Ask everything anew</source>
      <translation>全部重新提问</translation>
    </message>
    <message>
      <source>Otherwise the same question is not asked again with the same settings and library.</source>
      <translation>否则，在设置和资料库相同时，同一问题不会再次提出。</translation>
    </message>
    <message>
      <source>Run</source>
      <translation>运行</translation>
    </message>
    <message>
      <source>What is compared</source>
      <translation>比较对象</translation>
    </message>
    <message>
      <source>Typed questions</source>
      <translation>输入的问题</translation>
    </message>
    <message>
      <source>This library can't be written, so no evaluation can be kept in it.</source>
      <translation>此资料库无法写入，因此不能保存评测。</translation>
    </message>
    <message>
      <source>Add questions first: type them, open a file, or let some be proposed.</source>
      <translation>请先添加问题：输入、打开文件，或让程序拟定。</translation>
    </message>
    <message>
      <source>Choose one or more modes and models.</source>
      <translation>请选择一种或多种搜索方式和模型。</translation>
    </message>
    <message>
      <source>Let questions be written about passages of this library</source>
      <translation>根据此资料库的段落拟定问题</translation>
    </message>
    <message>
      <source>JSONL, JSON, CSV or text; also those of GraphRAG-Bench and LightRAG</source>
      <translation>JSONL、JSON、CSV 或文本；也支持 GraphRAG-Bench 和 LightRAG 的文件</translation>
    </message>
    <message>
      <source>hardly chance (p = {p})</source>
      <translation>几乎不可能是偶然（p = {p}）</translation>
    </message>
    <message>
      <source>{judge}, against {other}: {verdict}</source>
      <translation>{judge}，对比 {other}：{verdict}</translation>
    </message>
    <message>
      <source>Needs a chat model.</source>
      <translation>需要对话模型。</translation>
    </message>
    <message>
      <source>{n} s</source>
      <translation>{n} 秒</translation>
    </message>
    <message>
      <source>There is no difference on these questions.</source>
      <translation>在这些问题上没有差别。</translation>
    </message>
    <message>
      <source>No mode or model is clearly better here: the differences may be chance.</source>
      <translation>没有哪种搜索方式或模型明显更好：差别可能出于偶然。</translation>
    </message>
    <message>
      <source>no difference</source>
      <translation>没有差异</translation>
    </message>
    <message>
      <source>may be chance (p = {p})</source>
      <translation>可能是偶然（p = {p}）</translation>
    </message>
    <message>
      <source>not in the documents</source>
      <translation>文档中没有</translation>
    </message>
    <message>
      <source>{done} of {total} questions proposed</source>
      <translation>已拟定 {done}/{total} 个问题</translation>
    </message>
    <message>
      <source>Judging {n} of {total}</source>
      <translation>正在评判第 {n} 个，共 {total} 个</translation>
    </message>
    <message>
      <source>Asking question {n} of {total}</source>
      <translation>正在提第 {n} 个问题，共 {total} 个</translation>
    </message>
    <message>
      <source>{judge} finds {n}% of the sentences supported</source>
      <translation>{judge} 认为 {n}% 的句子有依据</translation>
    </message>
    <message>
      <source>Without a model</source>
      <translation>不用模型</translation>
    </message>
    <message>
      <source>Needs a model for search by meaning.</source>
      <translation>需要用于语义搜索的模型。</translation>
    </message>
    <message>
      <source>unfinished: {done} of {total}</source>
      <translation>未完成：{done}/{total}</translation>
    </message>
    <message>
      <source>Prompt: {n} tokens</source>
      <translation>提示词：{n} 个词元</translation>
    </message>
    <message>
      <source>Prompt: as many tokens as fit</source>
      <translation>提示词：尽可能多的词元</translation>
    </message>
    <message>
      <source>Inkgraph {version}</source>
      <translation>Inkgraph {version}</translation>
    </message>
    <message>
      <source>search by meaning: {model}</source>
      <translation>语义搜索：{model}</translation>
    </message>
    <message>
      <source>{column} is clearly better in {measures}.</source>
      <translation>{column}在{measures}上明显更好。</translation>
    </message>
    <message>
      <source>Starting…</source>
      <translation>正在启动…</translation>
    </message>
    <message>
      <source>better in {criteria}</source>
      <translation>在{criteria}上更好</translation>
    </message>
    <message>
      <source>worse in {criteria}</source>
      <translation>在{criteria}上更差</translation>
    </message>
    <message>
      <source>More is better.</source>
      <translation>越高越好。</translation>
    </message>
    <message>
      <source>Less is better.</source>
      <translation>越低越好。</translation>
    </message>
    <message numerus="yes">
      <source>{n} common questions.</source>
      <translation>
        <numerusform>{n} 个共同的问题。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Of {n} questions.</source>
      <translation>
        <numerusform>共 {n} 个问题。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} questions</source>
      <translation>
        <numerusform>{n} 个问题</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} answers failed</source>
      <translation>
        <numerusform>{n} 个回答失败</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>and {n} more in an export</source>
      <translation>
        <numerusform>导出的文件中还有 {n} 项</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} questions were proposed.</source>
      <translation>
        <numerusform>已拟定 {n} 个问题。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Propose {n} questions</source>
      <translation>
        <numerusform>拟定 {n} 个问题</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} questions were added.</source>
      <translation>
        <numerusform>已添加 {n} 个问题。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} questions were removed.</source>
      <translation>
        <numerusform>已移除 {n} 个问题。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} columns</source>
      <translation>
        <numerusform>{n} 列</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} without an answer</source>
      <translation>
        <numerusform>{n} 个没有答案</numerusform>
      </translation>
    </message>
  </context>
</TS>

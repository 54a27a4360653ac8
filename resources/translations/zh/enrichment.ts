<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>Take out “{word}”</source>
      <translation>去掉“{word}”</translation>
    </message>
    <message>
      <source>{list}: take out {word}</source>
      <translation>{list}：去掉“{word}”</translation>
    </message>
    <message>
      <source>How the model is asked</source>
      <translation>提问方式</translation>
    </message>
    <message>
      <source>Small models answer short questions better than they write lists.</source>
      <translation>小模型更擅长回答短问题，而不是写列表。</translation>
    </message>
    <message>
      <source>Order</source>
      <translation>顺序</translation>
    </message>
    <message>
      <source>Processor</source>
      <translation>处理器</translation>
    </message>
    <message>
      <source>Kind of text</source>
      <translation>文本种类</translation>
    </message>
    <message>
      <source>Decides which kinds of relations are asked for.</source>
      <translation>决定询问哪些种类的关系。</translation>
    </message>
    <message>
      <source>Written in</source>
      <translation>语言</translation>
    </message>
    <message>
      <source>Types of names</source>
      <translation>名称类型</translation>
    </message>
    <message>
      <source>What a name may be; the model picks the first that fits.</source>
      <translation>名称可能的类型；模型选取第一个合适的。</translation>
    </message>
    <message>
      <source>Kinds of relations</source>
      <translation>关系种类</translation>
    </message>
    <message>
      <source>Empty: those that go with the kind of text.</source>
      <translation>留空：使用与文本种类相应的关系。</translation>
    </message>
    <message>
      <source>Look again</source>
      <translation>重新查找</translation>
    </message>
    <message>
      <source>How often a large model is asked what it has missed.</source>
      <translation>追问大模型遗漏内容的次数。</translation>
    </message>
    <message>
      <source>Names</source>
      <translation>名称</translation>
    </message>
    <message>
      <source>The most that one passage gives.</source>
      <translation>每个段落最多给出的数量。</translation>
    </message>
    <message>
      <source>Relations</source>
      <translation>关系</translation>
    </message>
    <message>
      <source>Sentences</source>
      <translation>描述句</translation>
    </message>
    <message>
      <source>What a passage tells of a name or a pair. Small models often err here.</source>
      <translation>段落对某个名称或一对名称的说明。小模型在这里常出错。</translation>
    </message>
    <message>
      <source>Claims</source>
      <translation>断言</translation>
    </message>
    <message>
      <source>Note who did what to whom, and when. Takes longer.</source>
      <translation>记录谁在何时对谁做了什么。耗时较长。</translation>
    </message>
    <message>
      <source>Summaries</source>
      <translation>摘要</translation>
    </message>
    <message>
      <source>At the end, sum up what many passages say of a name.</source>
      <translation>最后汇总多个段落对同一名称的说明。</translation>
    </message>
    <message>
      <source>Worked example</source>
      <translation>示例</translation>
    </message>
    <message>
      <source>Shows a large model what is wanted.</source>
      <translation>向大模型说明想要的结果。</translation>
    </message>
    <message>
      <source>Add a type</source>
      <translation>添加类型</translation>
    </message>
    <message>
      <source>Add a kind, such as “teacher of”</source>
      <translation>添加种类，如“师徒”</translation>
    </message>
    <message>
      <source>Empty: the built-in one</source>
      <translation>留空：使用内置示例</translation>
    </message>
    <message>
      <source>The work</source>
      <translation>工作方式</translation>
    </message>
    <message>
      <source>What is looked for</source>
      <translation>查找内容</translation>
    </message>
    <message>
      <source>What is written</source>
      <translation>写出内容</translation>
    </message>
    <message>
      <source>For large models</source>
      <translation>适用于大模型</translation>
    </message>
    <message>
      <source>At least one type of names is needed.</source>
      <translation>至少需要一种名称类型。</translation>
    </message>
    <message>
      <source>All of the processor</source>
      <translation>整个处理器</translation>
    </message>
    <message>
      <source>As suits the model's size</source>
      <translation>按模型大小决定</translation>
    </message>
    <message>
      <source>Short questions: for small models</source>
      <translation>短问题：适合小模型</translation>
    </message>
    <message>
      <source>A list of all it sees: for large models</source>
      <translation>列出全部内容：适合大模型</translation>
    </message>
    <message>
      <source>What matters most first</source>
      <translation>最重要的在前</translation>
    </message>
    <message>
      <source>As it is read</source>
      <translation>按阅读顺序</translation>
    </message>
    <message>
      <source>Each document's own</source>
      <translation>按各文档而定</translation>
    </message>
    <message>
      <source>Stories and history</source>
      <translation>小说与历史</translation>
    </message>
    <message>
      <source>Papers and reports</source>
      <translation>论文与报告</translation>
    </message>
    <message>
      <source>Encyclopedias, news and the rest</source>
      <translation>百科、新闻及其他</translation>
    </message>
    <message>
      <source>Each document's language</source>
      <translation>各文档的语言</translation>
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
      <source>Half of it ({n} threads)</source>
      <translation>一半（{n} 个线程）</translation>
    </message>
    <message>
      <source>One thread: leaves the computer free</source>
      <translation>一个线程：不影响其他工作</translation>
    </message>
    <message>
      <source>How to enrich this library</source>
      <translation>精读设置</translation>
    </message>
    <message>
      <source>Suggest from my library…</source>
      <translation>根据资料库建议…</translation>
    </message>
    <message>
      <source>Reset</source>
      <translation>重置</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>Save</source>
      <translation>保存</translation>
    </message>
    <message>
      <source>Look at a sample of the documents</source>
      <translation>查看部分文档后给出建议</translation>
    </message>
    <message>
      <source>As they were at first</source>
      <translation>恢复为最初的设置</translation>
    </message>
    <message>
      <source>The model reads passage by passage, says how names are tied, and writes a sentence about each. What is there already stays usable meanwhile.</source>
      <translation>模型逐段阅读，说明名称之间的关系，并为每个名称写一句描述。期间已有的内容照常可用。</translation>
    </message>
    <message>
      <source>{sentence}.</source>
      <translation>{sentence}。</translation>
    </message>
    <message>
      <source>Enrich {what}</source>
      <translation>精读{what}</translation>
    </message>
    <message>
      <source>Looking how much there is to do…</source>
      <translation>正在估算工作量…</translation>
    </message>
    <message>
      <source>Before what waits already</source>
      <translation>排在已等待的之前</translation>
    </message>
    <message>
      <source>Also what this model has done already</source>
      <translation>也包括此模型已精读过的</translation>
    </message>
    <message>
      <source>Settings…</source>
      <translation>设置…</translation>
    </message>
    <message>
      <source>Enrich</source>
      <translation>开始精读</translation>
    </message>
    <message>
      <source>Open Models</source>
      <translation>打开“模型”</translation>
    </message>
    <message>
      <source>{details}. The time is a guess until this computer has done some.</source>
      <translation>{details}。在这台电脑精读过一些之前，时间只是估计。</translation>
    </message>
    <message>
      <source>It can't be said how long this takes.</source>
      <translation>无法估计需要多久。</translation>
    </message>
    <message>
      <source>How the library is enriched</source>
      <translation>资料库的精读方式</translation>
    </message>
    <message>
      <source>with {model}</source>
      <translation>使用 {model}</translation>
    </message>
    <message>
      <source>Something went wrong. Look again?</source>
      <translation>出了问题。要重新查看吗？</translation>
    </message>
    <message>
      <source>by rules, without a model</source>
      <translation>按规则得出，未使用模型</translation>
    </message>
    <message>
      <source>Suggested for this library</source>
      <translation>对此资料库的建议</translation>
    </message>
    <message>
      <source>No suggestion</source>
      <translation>没有建议</translation>
    </message>
    <message>
      <source>Use these</source>
      <translation>采用这些</translation>
    </message>
    <message>
      <source>This takes a minute or two; you may close this and come back.</source>
      <translation>需要一两分钟；可以先关闭，稍后再来。</translation>
    </message>
    <message>
      <source>asking {model}</source>
      <translation>询问了 {model}</translation>
    </message>
    <message>
      <source>Reading a few passages of your documents</source>
      <translation>正在阅读你文档中的几个段落</translation>
    </message>
    <message>
      <source>Nothing to look at yet</source>
      <translation>还没有可查看的内容</translation>
    </message>
    <message>
      <source>The graph in “{name}”</source>
      <translation>“{name}”中的图谱</translation>
    </message>
    <message>
      <source>LightRAG's graph in “{name}”</source>
      <translation>“{name}”中的 LightRAG 图谱</translation>
    </message>
    <message>
      <source>GraphRAG's tables in “{name}”</source>
      <translation>“{name}”中的 GraphRAG 数据表</translation>
    </message>
    <message>
      <source>{graph}: {documents}; {names}.</source>
      <translation>{graph}：{documents}；{names}。</translation>
    </message>
    <message>
      <source>families, clans or houses</source>
      <translation>家族</translation>
    </message>
    <message>
      <source>tribes, peoples or nations</source>
      <translation>民族</translation>
    </message>
    <message>
      <source>gods, spirits or ghosts</source>
      <translation>神怪</translation>
    </message>
    <message>
      <source>animals with names or a part in the story</source>
      <translation>动物</translation>
    </message>
    <message>
      <source>ships or vehicles</source>
      <translation>船只车辆</translation>
    </message>
    <message>
      <source>weapons</source>
      <translation>兵器</translation>
    </message>
    <message>
      <source>buildings</source>
      <translation>建筑</translation>
    </message>
    <message>
      <source>books, songs, laws or works of art</source>
      <translation>作品</translation>
    </message>
    <message>
      <source>offices or ranks</source>
      <translation>官职头衔</translation>
    </message>
    <message>
      <source>methods or algorithms</source>
      <translation>方法</translation>
    </message>
    <message>
      <source>data sets or benchmarks</source>
      <translation>数据集</translation>
    </message>
    <message>
      <source>measures or scores</source>
      <translation>指标</translation>
    </message>
    <message>
      <source>software or programming languages</source>
      <translation>软件</translation>
    </message>
    <message>
      <source>genes or proteins</source>
      <translation>基因</translation>
    </message>
    <message>
      <source>diseases or symptoms</source>
      <translation>疾病</translation>
    </message>
    <message>
      <source>drugs or treatments</source>
      <translation>药物</translation>
    </message>
    <message>
      <source>chemicals or materials</source>
      <translation>化学物质</translation>
    </message>
    <message>
      <source>species of plants or animals</source>
      <translation>物种</translation>
    </message>
    <message>
      <source>laws, cases or contracts</source>
      <translation>法律</translation>
    </message>
    <message>
      <source>products or brands</source>
      <translation>产品</translation>
    </message>
    <message>
      <source>{done} of {total} descriptions</source>
      <translation>{done}/{total} 条描述</translation>
    </message>
    <message>
      <source>{n} characters/s</source>
      <translation>{n} 字符/秒</translation>
    </message>
    <message>
      <source>starting the model</source>
      <translation>正在启动模型</translation>
    </message>
    <message>
      <source>Enriching {title}</source>
      <translation>正在精读 {title}</translation>
    </message>
    <message>
      <source>Enriching</source>
      <translation>正在精读</translation>
    </message>
    <message>
      <source>Enriching is paused</source>
      <translation>精读已暂停</translation>
    </message>
    <message>
      <source>Building the graph</source>
      <translation>正在构建图谱</translation>
    </message>
    <message>
      <source>with what was found</source>
      <translation>根据找到的内容</translation>
    </message>
    <message>
      <source>Summing up</source>
      <translation>正在汇总</translation>
    </message>
    <message>
      <source>{done} of {total}, {failed} failed</source>
      <translation>{done}/{total}，{failed} 个失败</translation>
    </message>
    <message>
      <source>{done} of {total} passages</source>
      <translation>{done}/{total} 个段落</translation>
    </message>
    <message>
      <source>{graph}: the library has all of it already.</source>
      <translation>{graph}：资料库中已全部具备。</translation>
    </message>
    <message numerus="yes">
      <source>Before the {n} that wait already</source>
      <translation>
        <numerusform>排在已等待的 {n} 个之前</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} passages</source>
      <translation>
        <numerusform>{n} 个段落</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} characters</source>
      <translation>
        <numerusform>{n} 个字符</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>From {n} passages, {asked}. Change what does not fit.</source>
      <translation>
        <numerusform>根据 {n} 个段落，{asked}。不合适的可以修改。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{done} of {n} passages</source>
      <translation>
        <numerusform>{done}/{n} 个段落</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Enriched {n} passages.</source>
      <translation>
        <numerusform>已精读 {n} 个段落。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} passages left</source>
      <translation>
        <numerusform>剩余 {n} 个段落</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} failed; the library says why.</source>
      <translation>
        <numerusform>{n} 个失败；原因见资料库。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} names</source>
      <translation>
        <numerusform>{n} 个名称</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} relations</source>
      <translation>
        <numerusform>{n} 条关系</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} new documents</source>
      <translation>
        <numerusform>{n} 个新文档</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} documents with more said of them</source>
      <translation>
        <numerusform>{n} 个文档有了补充</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} documents unchanged</source>
      <translation>
        <numerusform>{n} 个文档没有变化</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} claims</source>
      <translation>
        <numerusform>{n} 条断言</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} names not in the text, kept at the closest sentence: {names}</source>
      <translation>
        <numerusform>{n} 个名称不在原文中，已归到最接近的句子：{names}</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} relations without a passage that has both names, kept at the closest sentence</source>
      <translation>
        <numerusform>{n} 条关系没有同时含两个名称的段落，已归到最接近的句子</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} passages not word for word in the text, put where the text is most alike</source>
      <translation>
        <numerusform>{n} 个段落与原文不完全一致，已放在最相似处</numerusform>
      </translation>
    </message>
  </context>
</TS>

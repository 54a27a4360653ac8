<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>The model reads passage by passage, finds kinds of connections and writes descriptions. The graph can be used meanwhile.</source>
      <translation>模型逐段阅读，识别关系类型并撰写描述。其间图谱可照常使用。</translation>
    </message>
    <message>
      <source>{sentence}.</source>
      <translation>{sentence}。</translation>
    </message>
    <message>
      <source>Something went wrong. Try again?</source>
      <translation>出了点问题。要重试吗？</translation>
    </message>
    <message>
      <source>by rules, without a model</source>
      <translation>按规则得出，未使用模型</translation>
    </message>
    <message>
      <source>Enrich {what}</source>
      <translation>深度提取{what}</translation>
    </message>
    <message>
      <source>Estimating…</source>
      <translation>正在估算…</translation>
    </message>
    <message>
      <source>Before the rest of the queue</source>
      <translation>排在队列前面</translation>
    </message>
    <message>
      <source>Include passages that this model has enriched</source>
      <translation>包括此模型已深度提取的段落</translation>
    </message>
    <message>
      <source>Settings…</source>
      <translation>设置…</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>Enrich</source>
      <translation>开始深度提取</translation>
    </message>
    <message>
      <source>Open Models</source>
      <translation>打开“模型”</translation>
    </message>
    <message>
      <source>{details}. The time is a rough estimate.</source>
      <translation>{details}。时间为粗略估计。</translation>
    </message>
    <message>
      <source>The time cannot be estimated.</source>
      <translation>无法估算所需时间。</translation>
    </message>
    <message>
      <source>Enrichment settings</source>
      <translation>深度提取设置</translation>
    </message>
    <message>
      <source>Suggest from my library…</source>
      <translation>根据资料库推荐…</translation>
    </message>
    <message>
      <source>Reset</source>
      <translation>重置</translation>
    </message>
    <message>
      <source>Save</source>
      <translation>保存</translation>
    </message>
    <message>
      <source>Suggested for this library</source>
      <translation>为此资料库推荐的设置</translation>
    </message>
    <message>
      <source>No suggestion</source>
      <translation>没有可推荐的设置</translation>
    </message>
    <message>
      <source>Use these settings</source>
      <translation>使用这些设置</translation>
    </message>
    <message>
      <source>Suggest again</source>
      <translation>重新推荐</translation>
    </message>
    <message>
      <source>This takes a minute or two.</source>
      <translation>需要一两分钟。</translation>
    </message>
    <message>
      <source>asking {model}</source>
      <translation>询问了 {model}</translation>
    </message>
    <message>
      <source>How the library is enriched</source>
      <translation>资料库的深度提取方式</translation>
    </message>
    <message>
      <source>with {model}</source>
      <translation>使用 {model}</translation>
    </message>
    <message>
      <source>Analyse a sample of the documents</source>
      <translation>分析部分文档样本</translation>
    </message>
    <message>
      <source>Reset to defaults</source>
      <translation>恢复默认</translation>
    </message>
    <message>
      <source>Reading sample passages</source>
      <translation>正在阅读样本段落</translation>
    </message>
    <message>
      <source>No documents to analyse</source>
      <translation>没有可分析的文档</translation>
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
      <source>{rate} passages a minute</source>
      <translation>每分钟 {rate} 个段落</translation>
    </message>
    <message>
      <source>starting the model</source>
      <translation>正在启动模型</translation>
    </message>
    <message>
      <source>Enriching {title}</source>
      <translation>正在深度提取“{title}”</translation>
    </message>
    <message>
      <source>Enriching</source>
      <translation>正在深度提取</translation>
    </message>
    <message>
      <source>Enrichment paused</source>
      <translation>深度提取已暂停</translation>
    </message>
    <message>
      <source>Building the graph</source>
      <translation>正在构建图谱</translation>
    </message>
    <message>
      <source>Summarizing</source>
      <translation>正在总结</translation>
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
      <source>{graph}: nothing new.</source>
      <translation>{graph}：没有新内容。</translation>
    </message>
    <message numerus="yes">
      <source>Before the {n} waiting passages</source>
      <translation>
        <numerusform>排在等待的 {n} 个段落之前</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>From {n} passages, {asked}. Change what does not fit.</source>
      <translation>
        <numerusform>根据 {n} 个段落，{asked}。不合适的可以修改。</numerusform>
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
      <source>{done} of {n} passages</source>
      <translation>
        <numerusform>{done}/{n} 个段落</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Enriched {n} passages.</source>
      <translation>
        <numerusform>已深度提取 {n} 个段落。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} passages left</source>
      <translation>
        <numerusform>剩余 {n} 个段落</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} failed; see the library for the reasons.</source>
      <translation>
        <numerusform>{n} 个失败，原因见资料库。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} names</source>
      <translation>
        <numerusform>{n} 个实体</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} connections</source>
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
      <source>{n} updated documents</source>
      <translation>
        <numerusform>{n} 个更新的文档</numerusform>
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
      <source>{n} names not found in the text, placed at the most similar sentence: {names}</source>
      <translation>
        <numerusform>{n} 个实体不在原文中，已放在最相近的句子处：{names}</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} connections without a passage that has both names, kept at the closest sentence</source>
      <translation>
        <numerusform>{n} 条关系没有同时含两个实体的段落，已归到最接近的句子</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} passages not literally in the text, placed at the most similar part</source>
      <translation>
        <numerusform>{n} 个段落与原文不完全一致，已放在最相近处</numerusform>
      </translation>
    </message>
  </context>
</TS>

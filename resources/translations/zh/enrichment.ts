<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>Enrichment settings</source>
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
      <source>Reset to defaults</source>
      <translation>恢复默认</translation>
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
      <source>Look again</source>
      <translation>重新查找</translation>
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

<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>Kind of event</source>
      <translation>事件类型</translation>
    </message>
    <message>
      <source>Events</source>
      <translation>事件</translation>
    </message>
    <message>
      <source>All kinds ({n})</source>
      <translation>全部类型（{n}）</translation>
    </message>
    <message>
      <source>{kind} ({n})</source>
      <translation>{kind}（{n}）</translation>
    </message>
    <message>
      <source>place: {name}</source>
      <translation>地点：{name}</translation>
    </message>
    <message>
      <source>edited by you</source>
      <translation>您编辑过</translation>
    </message>
    <message>
      <source>You added or corrected this event</source>
      <translation>这一事件由您添加或更正</translation>
    </message>
    <message>
      <source>Rename</source>
      <translation>重命名</translation>
    </message>
    <message>
      <source>Type</source>
      <translation>类型</translation>
    </message>
    <message>
      <source>Merge…</source>
      <translation>合并…</translation>
    </message>
    <message>
      <source>Ask about</source>
      <translation>提问</translation>
    </message>
    <message>
      <source>Show in graph</source>
      <translation>在图谱中显示</translation>
    </message>
    <message>
      <source>More</source>
      <translation>更多</translation>
    </message>
    <message>
      <source>Enrich this now</source>
      <translation>立即深度提取</translation>
    </message>
    <message>
      <source>Read its passages with a model before all others</source>
      <translation>优先用模型阅读提到它的段落</translation>
    </message>
    <message>
      <source>Double-click or F2 to rename</source>
      <translation>双击或按 F2 重命名</translation>
    </message>
    <message>
      <source>New name</source>
      <translation>新名称</translation>
    </message>
    <message>
      <source>Change type: {type}</source>
      <translation>更改类型：{type}</translation>
    </message>
    <message>
      <source>Also: {names}</source>
      <translation>又名：{names}</translation>
    </message>
    <message>
      <source>Change type</source>
      <translation>更改类型</translation>
    </message>
    <message>
      <source>by connections</source>
      <translation>按关系数</translation>
    </message>
    <message>
      <source>by mentions</source>
      <translation>按提及数</translation>
    </message>
    <message>
      <source>by name</source>
      <translation>按名称</translation>
    </message>
    <message>
      <source>without a model</source>
      <translation>非模型</translation>
    </message>
    <message>
      <source>Review rejected names</source>
      <translation>查看被排除的实体</translation>
    </message>
    <message>
      <source>Actions for the selected names</source>
      <translation>对所选实体的操作</translation>
    </message>
    <message>
      <source>Find a name</source>
      <translation>查找实体</translation>
    </message>
    <message>
      <source>Names of one document</source>
      <translation>单个文档中的实体</translation>
    </message>
    <message>
      <source>Names</source>
      <translation>实体</translation>
    </message>
    <message>
      <source>No names yet</source>
      <translation>还没有实体</translation>
    </message>
    <message>
      <source>All documents</source>
      <translation>全部文档</translation>
    </message>
    <message>
      <source>{n} of {total}</source>
      <translation>{n}/{total}</translation>
    </message>
    <message>
      <source>Order of the list</source>
      <translation>列表顺序</translation>
    </message>
    <message>
      <source>No names in this document</source>
      <translation>此文档中没有实体</translation>
    </message>
    <message>
      <source>They appear while documents are read.</source>
      <translation>读取文档时会出现在这里。</translation>
    </message>
    <message>
      <source>No matching names</source>
      <translation>没有匹配的实体</translation>
    </message>
    <message>
      <source>Try another search or type.</source>
      <translation>请换一个查找词或类型。</translation>
    </message>
    <message>
      <source>No connections yet. Names that occur in the same sentence are connected.</source>
      <translation>还没有关系。出现在同一句中的实体会建立关系。</translation>
    </message>
    <message>
      <source>Connections</source>
      <translation>关系</translation>
    </message>
    <message>
      <source>Mentions</source>
      <translation>提及</translation>
    </message>
    <message>
      <source>Claims</source>
      <translation>断言</translation>
    </message>
    <message>
      <source>{title} ({count})</source>
      <translation>{title}（{count}）</translation>
    </message>
    <message>
      <source>Most often named together with {names}.</source>
      <translation>最常与{names}一起提到。</translation>
    </message>
    <message>
      <source>Communities</source>
      <translation>社群</translation>
    </message>
    <message>
      <source>Edits</source>
      <translation>修改</translation>
    </message>
    <message>
      <source>In the text</source>
      <translation>原文</translation>
    </message>
    <message>
      <source>Pictures</source>
      <translation>图片</translation>
    </message>
    <message>
      <source>Edit your description</source>
      <translation>编辑我写的描述</translation>
    </message>
    <message>
      <source>Write your own description</source>
      <translation>添加描述</translation>
    </message>
    <message>
      <source>No connections of this kind.</source>
      <translation>没有这种关系。</translation>
    </message>
    <message>
      <source>Open this community</source>
      <translation>打开这个社群</translation>
    </message>
    <message>
      <source>No mentions in the documents.</source>
      <translation>文档中没有提及。</translation>
    </message>
    <message>
      <source>Fewer</source>
      <translation>收起</translation>
    </message>
    <message>
      <source>{what} (undone)</source>
      <translation>{what}（已撤销）</translation>
    </message>
    <message>
      <source>stated</source>
      <translation>原文陈述</translation>
    </message>
    <message>
      <source>denied</source>
      <translation>文中否认</translation>
    </message>
    <message>
      <source>suspected</source>
      <translation>存疑</translation>
    </message>
    <message>
      <source>According to a model: {kind}</source>
      <translation>模型判断：{kind}</translation>
    </message>
    <message>
      <source>According to a model: {kind} ({sure})</source>
      <translation>模型判断：{kind}（{sure}）</translation>
    </message>
    <message>
      <source>from a model</source>
      <translation>来自模型</translation>
    </message>
    <message>
      <source>Both names occur in the same passage; no model has read it</source>
      <translation>两个实体出现在同一段落，该段落尚未经模型阅读</translation>
    </message>
    <message>
      <source>A model read the passages with these words and decided that they are not names, but for example a month, a form of address or a word at the start of a sentence. They are not in the graph or in the list of names. A name that you keep is not removed again.</source>
      <translation>模型阅读了含有这些词的段落，认为它们不是实体：例如月份、称谓或句首的词。它们不在图谱和实体列表中。保留的实体不会再被排除。</translation>
    </message>
    <message>
      <source>{facts}, by {model}</source>
      <translation>{facts}（{model}）</translation>
    </message>
    <message>
      <source>Keep</source>
      <translation>保留</translation>
    </message>
    <message>
      <source>Keep {name}</source>
      <translation>保留“{name}”</translation>
    </message>
    <message>
      <source>“{name}” restored</source>
      <translation>已恢复“{name}”</translation>
    </message>
    <message>
      <source>Show in text</source>
      <translation>在原文中显示</translation>
    </message>
    <message>
      <source>Restore this name</source>
      <translation>恢复此实体</translation>
    </message>
    <message>
      <source>Undo</source>
      <translation>撤销</translation>
    </message>
    <message>
      <source>Its page shows its description, connections and mentions.</source>
      <translation>实体页面显示它的描述、关系和提及。</translation>
    </message>
    <message>
      <source>This name no longer exists</source>
      <translation>此实体已不存在</translation>
    </message>
    <message>
      <source>It was merged or deleted, or its documents were removed. Select another name.</source>
      <translation>它已被合并或删除，或其文档已移除。请选择其他实体。</translation>
    </message>
    <message>
      <source>This page can't be shown</source>
      <translation>无法显示此页</translation>
    </message>
    <message>
      <source>Try again, or select another name.</source>
      <translation>请重试，或选择其他实体。</translation>
    </message>
    <message>
      <source>Add name…</source>
      <translation>添加实体…</translation>
    </message>
    <message>
      <source>History of changes…</source>
      <translation>更改历史…</translation>
    </message>
    <message>
      <source>Edit…</source>
      <translation>编辑…</translation>
    </message>
    <message>
      <source>Delete</source>
      <translation>删除</translation>
    </message>
    <message>
      <source>Add event from this sentence…</source>
      <translation>由此句添加事件…</translation>
    </message>
    <message>
      <source>Select a name</source>
      <translation>选择一个实体</translation>
    </message>
    <message>
      <source>All names</source>
      <translation>全部实体</translation>
    </message>
    <message>
      <source>Back</source>
      <translation>返回</translation>
    </message>
    <message>
      <source>Forward</source>
      <translation>前进</translation>
    </message>
    <message>
      <source>Rename this name</source>
      <translation>重命名此实体</translation>
    </message>
    <message>
      <source>Describe this name</source>
      <translation>描述此实体</translation>
    </message>
    <message>
      <source>Delete this name</source>
      <translation>删除此实体</translation>
    </message>
    <message>
      <source>Merge with another name</source>
      <translation>与其他实体合并</translation>
    </message>
    <message>
      <source>Compare with another name</source>
      <translation>与其他实体比较</translation>
    </message>
    <message>
      <source>History of this name…</source>
      <translation>此实体的更改历史…</translation>
    </message>
    <message>
      <source>Open “{name}”</source>
      <translation>打开“{name}”</translation>
    </message>
    <message>
      <source>Remove alias</source>
      <translation>移除别名</translation>
    </message>
    <message>
      <source>Show only connections confirmed by a model ({n})</source>
      <translation>只显示经模型确认的关系（{n}）</translation>
    </message>
    <message>
      <source>Confirmed by a model</source>
      <translation>模型确认</translation>
    </message>
    <message>
      <source>Show only connections “{kind}” ({n})</source>
      <translation>只显示“{kind}”关系（{n}）</translation>
    </message>
    <message numerus="yes">
      <source>{n} mentions</source>
      <translation>
        <numerusform>{n} 处提及</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} more</source>
      <translation>
        <numerusform>其余 {n} 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} documents</source>
      <translation>
        <numerusform>{n} 个文档</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} connections</source>
      <translation>
        <numerusform>{n} 条关系</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>confirmed by a model in {n} passages</source>
      <translation>
        <numerusform>模型在 {n} 个段落中确认</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} names rejected by the model</source>
      <translation>
        <numerusform>模型排除了 {n} 个实体</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} names selected</source>
      <translation>
        <numerusform>已选择 {n} 个实体</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} names</source>
      <translation>
        <numerusform>{n} 个实体</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Show all {n} connections</source>
      <translation>
        <numerusform>显示全部 {n} 条关系</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Show {n} communities inside it</source>
      <translation>
        <numerusform>显示其中 {n} 个子社群</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} changes, last: {what}, {when}</source>
      <translation>
        <numerusform>{n} 次更改，最近：{what}，{when}</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} passages</source>
      <translation>
        <numerusform>{n} 个段落</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>rejected in {against} of {n} passages</source>
      <translation>
        <numerusform>在 {n} 个段落中被排除 {against} 次</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>and {n} more</source>
      <translation>
        <numerusform>还有 {n} 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Show only: {type} ({n})</source>
      <translation>
        <numerusform>只显示：{type}（{n}）</numerusform>
      </translation>
    </message>
  </context>
</TS>

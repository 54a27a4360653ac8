<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>Change type: {type}</source>
      <translation>更改类型：{type}</translation>
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
      <translation>立即精读</translation>
    </message>
    <message>
      <source>A model reads the passages that name it before all others</source>
      <translation>让模型优先阅读提到它的段落</translation>
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
      <source>also: {names}</source>
      <translation>又名：{names}</translation>
    </message>
    <message>
      <source>edited by you</source>
      <translation>你编辑过</translation>
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
      <source>Name</source>
      <translation>名称</translation>
    </message>
    <message>
      <source>Find a name</source>
      <translation>查找名称</translation>
    </message>
    <message>
      <source>Names</source>
      <translation>名称</translation>
    </message>
    <message>
      <source>No names yet</source>
      <translation>还没有名称</translation>
    </message>
    <message>
      <source>instant</source>
      <translation>即时</translation>
    </message>
    <message>
      <source>Order of the list</source>
      <translation>列表顺序</translation>
    </message>
    <message>
      <source>See them, and keep what is a name</source>
      <translation>查看它们，保留确是名称的</translation>
    </message>
    <message>
      <source>What to do with all of these</source>
      <translation>对这些名称的操作</translation>
    </message>
    <message>
      <source>{n} of {total}</source>
      <translation>{n}/{total}</translation>
    </message>
    <message>
      <source>They appear while documents are read.</source>
      <translation>读取文档时会出现在这里。</translation>
    </message>
    <message>
      <source>No such name</source>
      <translation>没有这个名称</translation>
    </message>
    <message>
      <source>Try a part of it, or another type.</source>
      <translation>试试只输入一部分，或换个类型。</translation>
    </message>
    <message>
      <source>Confirmed by a model</source>
      <translation>模型确认</translation>
    </message>
    <message>
      <source>Nothing ties it to another name yet. Connections appear where two names stand in one sentence.</source>
      <translation>还没有与其他名称的关系。两个名称出现在同一句时，就会有关系。</translation>
    </message>
    <message>
      <source>{with_whom} ({count})</source>
      <translation>{with_whom}（{count}）</translation>
    </message>
    <message>
      <source>Claims</source>
      <translation>断言</translation>
    </message>
    <message>
      <source>with {names}</source>
      <translation>与 {names} 一起</translation>
    </message>
    <message>
      <source>alone</source>
      <translation>独自</translation>
    </message>
    <message>
      <source>{title}: {with_whom} ({count})</source>
      <translation>{title}：{with_whom}（{count}）</translation>
    </message>
    <message>
      <source>Communities</source>
      <translation>社群</translation>
    </message>
    <message>
      <source>By hand</source>
      <translation>手动更改</translation>
    </message>
    <message>
      <source>List only connections of which a model speaks ({n})</source>
      <translation>只列出模型提到的关系（{n}）</translation>
    </message>
    <message>
      <source>List only connections “{kind}” ({n})</source>
      <translation>只列出“{kind}”关系（{n}）</translation>
    </message>
    <message>
      <source>What is said</source>
      <translation>文中所述</translation>
    </message>
    <message>
      <source>Sources of the description</source>
      <translation>描述的来源</translation>
    </message>
    <message>
      <source>Where it is named</source>
      <translation>出现位置</translation>
    </message>
    <message>
      <source>Taken from</source>
      <translation>来源</translation>
    </message>
    <message>
      <source>No connection is of this kind.</source>
      <translation>没有这类关系。</translation>
    </message>
    <message>
      <source>It is named nowhere in the documents that are here.</source>
      <translation>现有文档中没有提到它。</translation>
    </message>
    <message>
      <source>{what} (taken back)</source>
      <translation>{what}（已撤回）</translation>
    </message>
    <message>
      <source>A model says: {kind}</source>
      <translation>模型认为：{kind}</translation>
    </message>
    <message>
      <source>Instant: they are named together; no model has spoken of it</source>
      <translation>即时：它们一起出现；模型还没有判断</translation>
    </message>
    <message>
      <source>A model says: {kind}, and is {sure} of it</source>
      <translation>模型认为：{kind}（{sure}）</translation>
    </message>
    <message>
      <source>said to be so</source>
      <translation>文中肯定</translation>
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
      <source>p. {label}</source>
      <translation>第 {label} 页</translation>
    </message>
    <message>
      <source>from a model</source>
      <translation>来自模型</translation>
    </message>
    <message>
      <source>A model read where these words stand and held them for no names: a month, a form of address, a word at the head of a sentence. They are not in the graph or in the list of names. Keep one, and no model takes it out again.</source>
      <translation>模型读过这些词的出处，认为它们不是名称：如月份、称呼、句首的词。它们不在图谱和名称列表中。保留某个词后，模型不会再去掉它。</translation>
    </message>
    <message>
      <source>{said}, says {model}</source>
      <translation>{said}（{model}）</translation>
    </message>
    <message>
      <source>Keep it</source>
      <translation>保留</translation>
    </message>
    <message>
      <source>Keep {name}</source>
      <translation>保留“{name}”</translation>
    </message>
    <message>
      <source>Where it says so</source>
      <translation>原文出处</translation>
    </message>
    <message>
      <source>Put it back among the names</source>
      <translation>放回名称之中</translation>
    </message>
    <message>
      <source>Its page says what is known of it, whom it is connected with, and where it says so.</source>
      <translation>这里会显示关于它的内容、它与谁有关系，以及原文出处。</translation>
    </message>
    <message>
      <source>This name is no longer there</source>
      <translation>这个名称已不存在</translation>
    </message>
    <message>
      <source>It was merged, deleted, or its documents are gone. Pick another name.</source>
      <translation>它已被合并或删除，或者所在文档已不在。请选择其他名称。</translation>
    </message>
    <message>
      <source>This page can't be shown</source>
      <translation>无法显示此页</translation>
    </message>
    <message>
      <source>Try again, or pick another name.</source>
      <translation>请重试，或选择其他名称。</translation>
    </message>
    <message>
      <source>Add a name…</source>
      <translation>添加名称…</translation>
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
      <source>“{name}” is among the names again</source>
      <translation>“{name}”已回到名称之中</translation>
    </message>
    <message>
      <source>Pick a name</source>
      <translation>选择一个名称</translation>
    </message>
    <message>
      <source>All names</source>
      <translation>全部名称</translation>
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
      <translation>重命名此名称</translation>
    </message>
    <message>
      <source>Describe this name</source>
      <translation>描述此名称</translation>
    </message>
    <message>
      <source>Delete this name</source>
      <translation>删除此名称</translation>
    </message>
    <message>
      <source>Merge with another name</source>
      <translation>与其他名称合并</translation>
    </message>
    <message>
      <source>Compare with another name</source>
      <translation>与其他名称对比</translation>
    </message>
    <message>
      <source>History of this name…</source>
      <translation>此名称的更改历史…</translation>
    </message>
    <message>
      <source>Undo</source>
      <translation>撤销</translation>
    </message>
    <message>
      <source>Take a name away</source>
      <translation>移除别名</translation>
    </message>
    <message numerus="yes">
      <source>{n} mentions</source>
      <translation>
        <numerusform>{n} 处提及</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} connections</source>
      <translation>
        <numerusform>{n} 条关系</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} documents</source>
      <translation>
        <numerusform>{n} 个文档</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} more</source>
      <translation>
        <numerusform>其余 {n} 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>a model speaks of it in {n} passages</source>
      <translation>
        <numerusform>模型在 {n} 个段落中提到它</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} names left out by the model</source>
      <translation>
        <numerusform>模型排除了 {n} 个名称</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} names chosen</source>
      <translation>
        <numerusform>已选择 {n} 个名称</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} names</source>
      <translation>
        <numerusform>{n} 个名称</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Show all {n} connections</source>
      <translation>
        <numerusform>显示全部 {n} 条关系</numerusform>
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
      <source>no name in {against} of {n} passages</source>
      <translation>
        <numerusform>在 {n} 个段落中有 {against} 个认为不是名称</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>and {n} more, named less often</source>
      <translation>
        <numerusform>以及其余 {n} 个，提及较少</numerusform>
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

<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>{n} of {total}</source>
      <translation>{n}/{total}</translation>
    </message>
    <message>
      <source>Skip</source>
      <translation>跳过</translation>
    </message>
    <message>
      <source>Leave it for another day (Ctrl+J)</source>
      <translation>改天再说 (Ctrl+J)</translation>
    </message>
    <message>
      <source>Answer all that are left of this name alike</source>
      <translation>这个名称剩下的都这样回答</translation>
    </message>
    <message>
      <source>Nobody is in doubt</source>
      <translation>没有存疑的名称</translation>
    </message>
    <message>
      <source>After a name was split, its later mentions follow by their document and by the names around them. Where neither tells, you are asked here.</source>
      <translation>名称拆分后，新的提及会按所在文档和周围的名称归属。两者都看不出时，在这里问你。</translation>
    </message>
    <message>
      <source>Which “{name}” is meant?</source>
      <translation>这里的“{name}”指哪一个？</translation>
    </message>
    <message>
      <source>{count}, counted here so far</source>
      <translation>{count}，目前归在这里</translation>
    </message>
    <message>
      <source>It is somebody or something else</source>
      <translation>这是另一个人或事物</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>打开</translation>
    </message>
    <message>
      <source>Take apart</source>
      <translation>拆开</translation>
    </message>
    <message>
      <source>Take {name} apart</source>
      <translation>拆开“{name}”</translation>
    </message>
    <message>
      <source>Find a name</source>
      <translation>查找名称</translation>
    </message>
    <message>
      <source>Names that were made one on their own</source>
      <translation>自动合并的名称</translation>
    </message>
    <message>
      <source>Nothing was joined</source>
      <translation>没有自动合并的名称</translation>
    </message>
    <message>
      <source>No such name</source>
      <translation>没有这个名称</translation>
    </message>
    <message>
      <source>Names that are surely one, as “Mr. Darcy” and “Darcy”, are made one while documents are read, and listed here.</source>
      <translation>确定相同的名称（如“Mr. Darcy”和“Darcy”）会在读取文档时自动合并，并列在这里。</translation>
    </message>
    <message>
      <source>Try a part of it.</source>
      <translation>试试只输入一部分。</translation>
    </message>
    <message>
      <source>Ctrl+Return merge · Ctrl+D never · Ctrl+J skip · Alt+1… tick · Ctrl+Shift+M compare</source>
      <translation>Ctrl+Return 合并 · Ctrl+D 永不合并 · Ctrl+J 跳过 · Alt+1… 勾选 · Ctrl+Shift+M 对比</translation>
    </message>
    <message>
      <source>Likely one</source>
      <translation>可能是同一个</translation>
    </message>
    <message>
      <source>Perhaps one</source>
      <translation>或许是同一个</translation>
    </message>
    <message>
      <source>{n} %</source>
      <translation>{n}%</translation>
    </message>
    <message>
      <source>Very likely one</source>
      <translation>很可能是同一个</translation>
    </message>
    <message>
      <source>Only very likely ones</source>
      <translation>只看很可能的</translation>
    </message>
    <message>
      <source>Likely ones</source>
      <translation>可能的</translation>
    </message>
    <message>
      <source>Loose: whatever may be</source>
      <translation>宽松：只要有可能</translation>
    </message>
    <message>
      <source>Newest first</source>
      <translation>最新的在前</translation>
    </message>
    <message>
      <source>Surest first</source>
      <translation>最确定的在前</translation>
    </message>
    <message>
      <source>Largest first</source>
      <translation>名称最多的在前</translation>
    </message>
    <message>
      <source>Most named first</source>
      <translation>提及最多的在前</translation>
    </message>
    <message>
      <source>What the model is surest of</source>
      <translation>模型最确定的在前</translation>
    </message>
    <message>
      <source>model {n} % · {share}</source>
      <translation>模型 {n}% · {share}</translation>
    </message>
    <message>
      <source>Names that may be one</source>
      <translation>可能相同的名称</translation>
    </message>
    <message>
      <source>Look again</source>
      <translation>重新查找</translation>
    </message>
    <message>
      <source>Which ones, in what order</source>
      <translation>显示哪些，如何排序</translation>
    </message>
    <message>
      <source>Only of type</source>
      <translation>只看类型</translation>
    </message>
    <message>
      <source>Merge all very likely ones…</source>
      <translation>合并所有很可能的…</translation>
    </message>
    <message>
      <source>Ask the chat model about this one</source>
      <translation>就这一组询问对话模型</translation>
    </message>
    <message>
      <source>Ask the chat model about all shown</source>
      <translation>就列出的全部询问对话模型</translation>
    </message>
    <message>
      <source>History of changes…</source>
      <translation>更改历史…</translation>
    </message>
    <message>
      <source>Any</source>
      <translation>不限</translation>
    </message>
    <message>
      <source>Open {name}</source>
      <translation>打开“{name}”</translation>
    </message>
    <message>
      <source>See all of them at once (Ctrl+Shift+Return)</source>
      <translation>一次查看全部 (Ctrl+Shift+Return)</translation>
    </message>
    <message>
      <source>The one name</source>
      <translation>合并后的名称</translation>
    </message>
    <message>
      <source>Merge</source>
      <translation>合并</translation>
    </message>
    <message>
      <source>Merge the ticked names and go on (Ctrl+Return)</source>
      <translation>合并勾选的名称并继续 (Ctrl+Return)</translation>
    </message>
    <message>
      <source>Never merge</source>
      <translation>永不合并</translation>
    </message>
    <message>
      <source>Keep the ticked names apart for good (Ctrl+D)</source>
      <translation>让勾选的名称永远分开 (Ctrl+D)</translation>
    </message>
    <message>
      <source>Compare</source>
      <translation>对比</translation>
    </message>
    <message>
      <source>The first two ticked, side by side (Ctrl+Shift+M)</source>
      <translation>并排对比勾选的前两个 (Ctrl+Shift+M)</translation>
    </message>
    <message>
      <source>{words}, {n} %</source>
      <translation>{words}，{n}%</translation>
    </message>
    <message>
      <source>Afterwards: {facts}.</source>
      <translation>合并后：{facts}。</translation>
    </message>
    <message>
      <source>Take it into the merge (Alt+{n})</source>
      <translation>参与合并 (Alt+{n})</translation>
    </message>
    <message>
      <source>also: {names}</source>
      <translation>又名：{names}</translation>
    </message>
    <message>
      <source>As</source>
      <translation>合并为</translation>
    </message>
    <message>
      <source>Both know: {names}</source>
      <translation>共同关系：{names}</translation>
    </message>
    <message>
      <source>The chat model says “one” with {n} %, which may be wrong.</source>
      <translation>对话模型认为是同一个的把握为 {n}%，可能有误。</translation>
    </message>
    <message>
      <source>Tick two names or more.</source>
      <translation>请勾选两个以上的名称。</translation>
    </message>
    <message>
      <source>Look down the list and untick what is not one (Space). Each takes the name of its first member. One undo takes all of it back.</source>
      <translation>浏览列表，取消勾选不该合并的（空格键）。每组采用第一个名称。一次撤销即可全部还原。</translation>
    </message>
    <message>
      <source>“{name}” stands for itself again</source>
      <translation>“{name}”重新成为独立的名称</translation>
    </message>
    <message>
      <source>Clusters to merge</source>
      <translation>要合并的各组</translation>
    </message>
    <message>
      <source>Tick none</source>
      <translation>全部不选</translation>
    </message>
    <message>
      <source>Merge the very likely ones</source>
      <translation>合并很可能的名称</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>None of these is very likely; decide one by one.</source>
      <translation>没有很可能的，请逐个判断。</translation>
    </message>
    <message>
      <source>Merge into “{name}”</source>
      <translation>合并到“{name}”</translation>
    </message>
    <message>
      <source>To decide</source>
      <translation>待定</translation>
    </message>
    <message>
      <source>Made one on their own</source>
      <translation>已自动合并</translation>
    </message>
    <message>
      <source>Who is meant?</source>
      <translation>指的是谁？</translation>
    </message>
    <message>
      <source>Parts of the merge desk</source>
      <translation>合并台的各部分</translation>
    </message>
    <message>
      <source>Nothing to merge</source>
      <translation>没有可合并的名称</translation>
    </message>
    <message>
      <source>The search failed</source>
      <translation>查找失败</translation>
    </message>
    <message>
      <source>Look again; the log says more.</source>
      <translation>请重新查找；详情见日志。</translation>
    </message>
    <message>
      <source>Merge desk</source>
      <translation>合并台</translation>
    </message>
    <message>
      <source>Merge these names</source>
      <translation>合并这些名称</translation>
    </message>
    <message>
      <source>Merge, with choices</source>
      <translation>选择后合并</translation>
    </message>
    <message>
      <source>Never merge these</source>
      <translation>永不合并这些名称</translation>
    </message>
    <message>
      <source>Compare these names</source>
      <translation>对比这些名称</translation>
    </message>
    <message>
      <source>Go on</source>
      <translation>继续</translation>
    </message>
    <message>
      <source>Next list</source>
      <translation>下一列表</translation>
    </message>
    <message>
      <source>Previous list</source>
      <translation>上一列表</translation>
    </message>
    <message>
      <source>No such cluster</source>
      <translation>没有这样的一组</translation>
    </message>
    <message>
      <source>No names look like one. Set it looser to see more, or merge by hand on Names.</source>
      <translation>没有看起来相同的名称。可放宽条件查看更多，或在“名称”中手动合并。</translation>
    </message>
    <message>
      <source>Try another filter.</source>
      <translation>换个筛选条件试试。</translation>
    </message>
    <message numerus="yes">
      <source>{n} mentions</source>
      <translation>
        <numerusform>{n} 处提及</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>All {n} left are “{name}”</source>
      <translation>
        <numerusform>剩下的 {n} 处都是“{name}”</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} names joined to it</source>
      <translation>
        <numerusform>并入 {n} 个名称</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} names</source>
      <translation>
        <numerusform>{n} 个名称</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} connections</source>
      <translation>
        <numerusform>{n} 条关系</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>All {n} about {name}…</source>
      <translation>
        <numerusform>与“{name}”有关的全部 {n} 组…</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} doubles folded with all sentences</source>
      <translation>
        <numerusform>{n} 条重复关系连同全部句子合为一条</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} connections among them dropped</source>
      <translation>
        <numerusform>去掉它们之间的 {n} 条关系</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Merged {n} names into “{name}”</source>
      <translation>
        <numerusform>已将 {n} 个名称合并为“{name}”</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} names stay apart</source>
      <translation>
        <numerusform>{n} 个名称保持分开</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Merged {n} names into {into}</source>
      <translation>
        <numerusform>已将 {n} 个名称合并为 {into}</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} passages told apart</source>
      <translation>
        <numerusform>已分清 {n} 个段落</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} merges of {total} ticked</source>
      <translation>
        <numerusform>已勾选 {n}/{total} 组</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Asking the chat model about {n} clusters…</source>
      <translation>
        <numerusform>正在就 {n} 组名称询问对话模型…</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Merge {n}</source>
      <translation>
        <numerusform>合并 {n} 组</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>The chat model was asked about {n} clusters.</source>
      <translation>
        <numerusform>已就 {n} 组名称询问对话模型。</numerusform>
      </translation>
    </message>
  </context>
</TS>

<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>Ask about this theme</source>
      <translation>就此主题提问</translation>
    </message>
    <message>
      <source>Ask about it, from themes to details</source>
      <translation>就此提问，从主题到细节</translation>
    </message>
    <message>
      <source>Write reports</source>
      <translation>撰写报告</translation>
    </message>
    <message>
      <source>Counted and quoted, without a model: takes seconds</source>
      <translation>不用模型，统计并摘引：只需数秒</translation>
    </message>
    <message>
      <source>Of which communities</source>
      <translation>范围</translation>
    </message>
    <message>
      <source>All</source>
      <translation>全部</translation>
    </message>
    <message>
      <source>Also those whose report is as it should be</source>
      <translation>报告无需更新的也重写</translation>
    </message>
    <message>
      <source>{reports}, {time}</source>
      <translation>{reports}，{time}</translation>
    </message>
    <message>
      <source>Pinned: the report stays as it is</source>
      <translation>已固定：报告保持不变</translation>
    </message>
    <message>
      <source>Unpinned</source>
      <translation>已取消固定</translation>
    </message>
    <message>
      <source>Count and quote, without a model</source>
      <translation>不用模型，统计并摘引</translation>
    </message>
    <message>
      <source>Show it in the graph</source>
      <translation>在图谱中显示</translation>
    </message>
    <message>
      <source>Unpin the report</source>
      <translation>取消固定报告</translation>
    </message>
    <message>
      <source>Pin the report</source>
      <translation>固定报告</translation>
    </message>
    <message>
      <source>Compare with another…</source>
      <translation>与另一个比较…</translation>
    </message>
    <message>
      <source>Only what has no report yet, or has changed since, is written. Reports that you edited or pinned stay.</source>
      <translation>只撰写还没有报告或已有变化的社群。你修改过或固定的报告不动。</translation>
    </message>
    <message>
      <source>By whom</source>
      <translation>撰写方式</translation>
    </message>
    <message>
      <source>By {model}: title and summary in its words</source>
      <translation>由 {model} 撰写标题和摘要</translation>
    </message>
    <message>
      <source>By a model: none is installed</source>
      <translation>由模型撰写：尚未安装模型</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>Write</source>
      <translation>撰写</translation>
    </message>
    <message>
      <source>There is nothing to write: all reports are as they should be.</source>
      <translation>没有要写的：所有报告都是最新的。</translation>
    </message>
    <message>
      <source>Write it with {model}</source>
      <translation>由 {model} 撰写</translation>
    </message>
    <message>
      <source>Write it with a model</source>
      <translation>由模型撰写</translation>
    </message>
    <message>
      <source>Compare with “{title}”</source>
      <translation>与“{title}”比较</translation>
    </message>
    <message>
      <source>The report is changed</source>
      <translation>报告已修改</translation>
    </message>
    <message>
      <source>The report stands as it was made</source>
      <translation>报告已恢复原样</translation>
    </message>
    <message>
      <source>Largest first</source>
      <translation>名称最多的在前</translation>
    </message>
    <message>
      <source>Weightiest first</source>
      <translation>权重最高的在前</translation>
    </message>
    <message>
      <source>By title</source>
      <translation>按标题</translation>
    </message>
    <message>
      <source>Weight: {rating}</source>
      <translation>权重：{rating}</translation>
    </message>
    <message>
      <source>Words that set it apart</source>
      <translation>特有的词</translation>
    </message>
    <message>
      <source>Names that it alone has</source>
      <translation>它独有的名称</translation>
    </message>
    <message>
      <source>Compare two communities</source>
      <translation>比较两个社群</translation>
    </message>
    <message>
      <source>Names that both have</source>
      <translation>两者共有的名称</translation>
    </message>
    <message>
      <source>Open the other one</source>
      <translation>打开另一个</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Compare with</source>
      <translation>比较对象</translation>
    </message>
    <message>
      <source>Type a title to compare with</source>
      <translation>输入标题来选择比较对象</translation>
    </message>
    <message>
      <source>No name is in both</source>
      <translation>没有共有的名称</translation>
    </message>
    <message>
      <source>Nothing connects them</source>
      <translation>两者之间没有关系</translation>
    </message>
    <message>
      <source>Headline</source>
      <translation>要点标题</translation>
    </message>
    <message>
      <source>Text of the point</source>
      <translation>要点正文</translation>
    </message>
    <message>
      <source>Leave out</source>
      <translation>去掉</translation>
    </message>
    <message>
      <source>Edit the report</source>
      <translation>编辑报告</translation>
    </message>
    <message>
      <source>Title</source>
      <translation>标题</translation>
    </message>
    <message>
      <source>Summary</source>
      <translation>摘要</translation>
    </message>
    <message>
      <source>Add a point</source>
      <translation>添加要点</translation>
    </message>
    <message>
      <source>Use it as it was made</source>
      <translation>恢复原样</translation>
    </message>
    <message>
      <source>Take back</source>
      <translation>放回</translation>
    </message>
    <message>
      <source>Save</source>
      <translation>保存</translation>
    </message>
    <message>
      <source>What it is about</source>
      <translation>讲些什么</translation>
    </message>
    <message>
      <source>Open it in the book</source>
      <translation>在书中打开</translation>
    </message>
    <message>
      <source>p. {page}</source>
      <translation>第 {page} 页</translation>
    </message>
    <message>
      <source>Show the sentences it stands on</source>
      <translation>显示所依据的句子</translation>
    </message>
    <message>
      <source>Pinned</source>
      <translation>已固定</translation>
    </message>
    <message>
      <source>Show in graph</source>
      <translation>在图谱中显示</translation>
    </message>
    <message>
      <source>Colour the graph by it</source>
      <translation>按社群给图谱着色</translation>
    </message>
    <message>
      <source>Write its report again</source>
      <translation>重写报告</translation>
    </message>
    <message>
      <source>Changed since this was written</source>
      <translation>撰写之后有变化</translation>
    </message>
    <message>
      <source>Names in it</source>
      <translation>其中的名称</translation>
    </message>
    <message>
      <source>Pin: keep the report as it is</source>
      <translation>固定：报告保持不变</translation>
    </message>
    <message>
      <source>Where it lives</source>
      <translation>在书中何处</translation>
    </message>
    <message>
      <source>Its parts</source>
      <translation>组成部分</translation>
    </message>
    <message>
      <source>Tied to these communities</source>
      <translation>相关社群</translation>
    </message>
    <message>
      <source>Most in {headings}</source>
      <translation>主要见于 {headings}</translation>
    </message>
    <message>
      <source>{done} of {total} written</source>
      <translation>已写 {done} / {total}</translation>
    </message>
    <message>
      <source>Add files…</source>
      <translation>添加文件…</translation>
    </message>
    <message>
      <source>No communities yet</source>
      <translation>还没有社群</translation>
    </message>
    <message>
      <source>Names that hang together make a community, and a report says what it is about. Add a book, and they are found by themselves.</source>
      <translation>联系紧密的名称组成社群，每个社群有一份报告，说明它讲些什么。添加一本书，社群会自动生成。</translation>
    </message>
    <message>
      <source>Pick a community</source>
      <translation>选择一个社群</translation>
    </message>
    <message>
      <source>Its report says what it is about, and where it says so.</source>
      <translation>报告说明它讲些什么，以及原文出处。</translation>
    </message>
    <message>
      <source>All communities</source>
      <translation>全部社群</translation>
    </message>
    <message>
      <source>Communities</source>
      <translation>社群</translation>
    </message>
    <message>
      <source>Bring up to date</source>
      <translation>更新</translation>
    </message>
    <message>
      <source>Write reports…</source>
      <translation>撰写报告…</translation>
    </message>
    <message>
      <source>Pause writing</source>
      <translation>暂停撰写</translation>
    </message>
    <message>
      <source>Go on writing</source>
      <translation>继续撰写</translation>
    </message>
    <message>
      <source>Stop writing</source>
      <translation>停止撰写</translation>
    </message>
    <message>
      <source>Paused</source>
      <translation>已暂停</translation>
    </message>
    <message>
      <source>The graph has changed since these were found</source>
      <translation>社群生成之后图谱有变化</translation>
    </message>
    <message>
      <source>Write reports for all, or for what has changed</source>
      <translation>为全部社群或有变化的社群撰写报告</translation>
    </message>
    <message>
      <source>Find a community</source>
      <translation>查找社群</translation>
    </message>
    <message>
      <source>As a tree or as a map</source>
      <translation>树形列表或矩形树图</translation>
    </message>
    <message>
      <source>{n} on {levels} levels</source>
      <translation>{n} 个，共 {levels} 层</translation>
    </message>
    <message>
      <source>Writing…</source>
      <translation>正在撰写…</translation>
    </message>
    <message>
      <source>Order of the list</source>
      <translation>列表顺序</translation>
    </message>
    <message>
      <source>Show as a map</source>
      <translation>显示为矩形树图</translation>
    </message>
    <message>
      <source>Show as a tree</source>
      <translation>显示为树形列表</translation>
    </message>
    <message>
      <source>Map of communities</source>
      <translation>社群矩形树图</translation>
    </message>
    <message>
      <source>Back to what it is a part of</source>
      <translation>回到上一层</translation>
    </message>
    <message>
      <source>Click twice to go into it</source>
      <translation>点按两次进入</translation>
    </message>
    <message>
      <source>Written by {model}</source>
      <translation>由 {model} 撰写</translation>
    </message>
    <message>
      <source>{rating} of 10</source>
      <translation>{rating} / 10</translation>
    </message>
    <message>
      <source>Names by themselves</source>
      <translation>孤立的名称</translation>
    </message>
    <message>
      <source>Without a title</source>
      <translation>无标题</translation>
    </message>
    <message>
      <source>Written by you</source>
      <translation>由你撰写</translation>
    </message>
    <message>
      <source>Counted and quoted, without a model</source>
      <translation>统计并摘引，未用模型</translation>
    </message>
    <message>
      <source>Written by {model}, edited by you</source>
      <translation>由 {model} 撰写，经你修改</translation>
    </message>
    <message>
      <source>Changed since its report</source>
      <translation>报告之后有变化</translation>
    </message>
    <message>
      <source>Pinned: its report stays as it is</source>
      <translation>已固定：报告保持不变</translation>
    </message>
    <message>
      <source>Edited by you</source>
      <translation>经你修改</translation>
    </message>
    <message numerus="yes">
      <source>{n} reports</source>
      <translation>
        <numerusform>{n} 份报告</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>All {n} of them</source>
      <translation>
        <numerusform>全部 {n} 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>The {n} at the top</source>
      <translation>
        <numerusform>最上层 {n} 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>The {n} of the top {levels} levels</source>
      <translation>
        <numerusform>最上 {levels} 层共 {n} 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} more</source>
      <translation>
        <numerusform>其余 {n} 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} names of its own</source>
      <translation>
        <numerusform>独有 {n} 个名称</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} names are in both</source>
      <translation>
        <numerusform>共有 {n} 个名称</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} connections between them</source>
      <translation>
        <numerusform>两者之间 {n} 条关系</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} sentences</source>
      <translation>
        <numerusform>{n} 句</numerusform>
      </translation>
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
      <source>{n} reports kept</source>
      <translation>
        <numerusform>已有 {n} 份报告</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} changed since</source>
      <translation>
        <numerusform>{n} 个有变化</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} on one level</source>
      <translation>
        <numerusform>{n} 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} found</source>
      <translation>
        <numerusform>找到 {n} 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} names</source>
      <translation>
        <numerusform>{n} 个名称</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>about {n} hours</source>
      <translation>
        <numerusform>约 {n} 小时</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>about {n} seconds</source>
      <translation>
        <numerusform>约 {n} 秒</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>about {n} minutes</source>
      <translation>
        <numerusform>约 {n} 分钟</numerusform>
      </translation>
    </message>
  </context>
</TS>

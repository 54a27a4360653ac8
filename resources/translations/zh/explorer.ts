<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>Open</source>
      <translation>打开</translation>
    </message>
    <message>
      <source>Expand</source>
      <translation>展开</translation>
    </message>
    <message>
      <source>Choose whom to add…</source>
      <translation>选择要添加的名称…</translation>
    </message>
    <message>
      <source>Only this and its neighbours</source>
      <translation>只看它与相邻名称</translation>
    </message>
    <message>
      <source>Arrange around this</source>
      <translation>以它为中心排列</translation>
    </message>
    <message>
      <source>Find a way to…</source>
      <translation>查找通往…的路径</translation>
    </message>
    <message>
      <source>A model reads the passages that name it before all others</source>
      <translation>让模型优先阅读提到它的段落</translation>
    </message>
    <message>
      <source>Choose its neighbours</source>
      <translation>选择相邻名称</translation>
    </message>
    <message>
      <source>Hide</source>
      <translation>隐藏</translation>
    </message>
    <message>
      <source>Names they have in common</source>
      <translation>共同关联的名称</translation>
    </message>
    <message>
      <source>Choose all others</source>
      <translation>反选</translation>
    </message>
    <message>
      <source>Zoom to them</source>
      <translation>缩放到所选</translation>
    </message>
    <message>
      <source>Pin or unpin</source>
      <translation>固定或取消固定</translation>
    </message>
    <message>
      <source>Fit everything</source>
      <translation>显示全部</translation>
    </message>
    <message>
      <source>Choose all</source>
      <translation>全选</translation>
    </message>
    <message>
      <source>Arrange anew</source>
      <translation>重新排列</translation>
    </message>
    <message>
      <source>Top names</source>
      <translation>主要名称</translation>
    </message>
    <message>
      <source>Unpin</source>
      <translation>取消固定</translation>
    </message>
    <message>
      <source>Pin</source>
      <translation>固定</translation>
    </message>
    <message>
      <source>Find a way between them</source>
      <translation>查找两者之间的路径</translation>
    </message>
    <message>
      <source>They have nobody in common.</source>
      <translation>它们没有共同关联的名称。</translation>
    </message>
    <message>
      <source>Zoom to what is chosen</source>
      <translation>缩放到所选</translation>
    </message>
    <message>
      <source>Enrich this now</source>
      <translation>立即精读</translation>
    </message>
    <message>
      <source>All its neighbours are shown already.</source>
      <translation>它的相邻名称都已显示。</translation>
    </message>
    <message>
      <source>{name}, tied to {others}</source>
      <translation>{name}，与 {others} 有关系</translation>
    </message>
    <message>
      <source>{name}, {type}, pinned</source>
      <translation>{name}，{type}，已固定</translation>
    </message>
    <message>
      <source>{name}, {type}</source>
      <translation>{name}，{type}</translation>
    </message>
    <message>
      <source>{name}, without connections in this picture</source>
      <translation>{name}，在此图中没有关系</translation>
    </message>
    <message>
      <source>Graph of names</source>
      <translation>名称图谱</translation>
    </message>
    <message>
      <source>{k} of {n}</source>
      <translation>{k} / {n}</translation>
    </message>
    <message>
      <source>Show more</source>
      <translation>显示更多</translation>
    </message>
    <message>
      <source>Select a name to see all its connections.</source>
      <translation>选中一个名称即可查看它的全部关系。</translation>
    </message>
    <message>
      <source>Zoom in</source>
      <translation>放大</translation>
    </message>
    <message>
      <source>Zoom out</source>
      <translation>缩小</translation>
    </message>
    <message>
      <source>Map of the picture</source>
      <translation>缩略图</translation>
    </message>
    <message>
      <source>Press to go there</source>
      <translation>点击前往该处</translation>
    </message>
    <message>
      <source>Expand {name}</source>
      <translation>展开“{name}”</translation>
    </message>
    <message>
      <source>Every type</source>
      <translation>所有类型</translation>
    </message>
    <message>
      <source>Only of this type</source>
      <translation>只要这种类型</translation>
    </message>
    <message>
      <source>Every kind</source>
      <translation>所有关系</translation>
    </message>
    <message>
      <source>Only of this kind</source>
      <translation>只要这种关系</translation>
    </message>
    <message>
      <source>Every document</source>
      <translation>所有文档</translation>
    </message>
    <message>
      <source>Only of this document</source>
      <translation>只要这个文档</translation>
    </message>
    <message>
      <source>Strength of the connection</source>
      <translation>关系强度</translation>
    </message>
    <message>
      <source>At most so many names</source>
      <translation>名称数量上限</translation>
    </message>
    <message>
      <source>Names to add</source>
      <translation>要添加的名称</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>Whom to add beside {name}</source>
      <translation>在“{name}”旁添加哪些名称</translation>
    </message>
    <message>
      <source>At most</source>
      <translation>最多</translation>
    </message>
    <message>
      <source>names, the strongest first</source>
      <translation>个名称，关系最强的优先</translation>
    </message>
    <message>
      <source>Saved {name}</source>
      <translation>已保存 {name}</translation>
    </message>
    <message>
      <source>Export what is chosen</source>
      <translation>导出所选</translation>
    </message>
    <message>
      <source>Export the view</source>
      <translation>导出视图</translation>
    </message>
    <message>
      <source>Picture of another size</source>
      <translation>其他尺寸的图片</translation>
    </message>
    <message>
      <source>Width in pixels</source>
      <translation>宽度（像素）</translation>
    </message>
    <message>
      <source>{name} would be too big a picture</source>
      <translation>{name} 的图片会过大</translation>
    </message>
    <message>
      <source>{name} could not be written</source>
      <translation>无法写入 {name}</translation>
    </message>
    <message>
      <source>Choose names first: click them, or draw round them with Shift.</source>
      <translation>请先选择名称：单击，或按住 Shift 框选。</translation>
    </message>
    <message>
      <source>Drag the handles; arrow keys move the left one, with Shift the right one</source>
      <translation>拖动滑块；方向键移动左滑块，按住 Shift 移动右滑块</translation>
    </message>
    <message>
      <source>Filters</source>
      <translation>筛选</translation>
    </message>
    <message>
      <source>Names with…</source>
      <translation>名称包含…</translation>
    </message>
    <message>
      <source>Connections of a name</source>
      <translation>名称的关系数</translation>
    </message>
    <message>
      <source>Strength of a connection</source>
      <translation>关系强度</translation>
    </message>
    <message>
      <source>Names without connections</source>
      <translation>没有关系的名称</translation>
    </message>
    <message>
      <source>Documents</source>
      <translation>文档</translation>
    </message>
    <message>
      <source>Clear filters</source>
      <translation>清除筛选</translation>
    </message>
    <message>
      <source>Types</source>
      <translation>类型</translation>
    </message>
    <message>
      <source>Communities</source>
      <translation>社群</translation>
    </message>
    <message>
      <source>Only {name}</source>
      <translation>只看“{name}”</translation>
    </message>
    <message>
      <source>all</source>
      <translation>全部</translation>
    </message>
    <message>
      <source>Choose the next name in that direction</source>
      <translation>选择该方向上的下一个名称</translation>
    </message>
    <message>
      <source>Open the chosen name</source>
      <translation>打开所选名称</translation>
    </message>
    <message>
      <source>Larger</source>
      <translation>放大</translation>
    </message>
    <message>
      <source>Smaller</source>
      <translation>缩小</translation>
    </message>
    <message>
      <source>Show the whole graph</source>
      <translation>显示整个图谱</translation>
    </message>
    <message>
      <source>Show what is chosen</source>
      <translation>显示所选内容</translation>
    </message>
    <message>
      <source>Show more around the chosen name</source>
      <translation>展开所选名称的周围</translation>
    </message>
    <message>
      <source>Hide the chosen names</source>
      <translation>隐藏所选名称</translation>
    </message>
    <message>
      <source>Keep only the chosen names</source>
      <translation>只保留所选名称</translation>
    </message>
    <message>
      <source>Pin the chosen names</source>
      <translation>固定所选名称</translation>
    </message>
    <message>
      <source>Find the way between two names</source>
      <translation>查找两个名称之间的路径</translation>
    </message>
    <message>
      <source>Full screen</source>
      <translation>全屏</translation>
    </message>
    <message>
      <source>Menu of the chosen name</source>
      <translation>打开所选名称的菜单</translation>
    </message>
    <message>
      <source>The shortest way</source>
      <translation>最短路径</translation>
    </message>
    <message>
      <source>The strongest way</source>
      <translation>最强路径</translation>
    </message>
    <message>
      <source>Another way</source>
      <translation>另一条路径</translation>
    </message>
    <message>
      <source>Select a name to see who it is and where it is mentioned.</source>
      <translation>选中一个名称，查看它是谁、在哪里被提及。</translation>
    </message>
    <message>
      <source>{way}: {names}</source>
      <translation>{way}：{names}</translation>
    </message>
    <message>
      <source>About what is chosen</source>
      <translation>所选内容的信息</translation>
    </message>
    <message>
      <source>{title}, p. {page}</source>
      <translation>{title}，第 {page} 页</translation>
    </message>
    <message>
      <source>Open this passage</source>
      <translation>打开这一段</translation>
    </message>
    <message>
      <source>Also {names}</source>
      <translation>又名 {names}</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Show this way in the graph</source>
      <translation>在图谱中显示这条路径</translation>
    </message>
    <message>
      <source>Open everything about this name</source>
      <translation>打开这个名称的全部内容</translation>
    </message>
    <message>
      <source>Show the names it is tied to</source>
      <translation>显示与它有关系的名称</translation>
    </message>
    <message>
      <source>The text ties these two together nowhere, not even past others.</source>
      <translation>原文没有把这两者联系起来，也没有间接的联系。</translation>
    </message>
    <message>
      <source>Strongest connections</source>
      <translation>最强的关系</translation>
    </message>
    <message>
      <source>Where it says so</source>
      <translation>原文出处</translation>
    </message>
    <message>
      <source>Show or hide: {what}
Double click: only these</source>
      <translation>显示或隐藏：{what}
双击：只看这一类</translation>
    </message>
    <message>
      <source>Show or hide connections: {kind}
Double click: only these</source>
      <translation>显示或隐藏关系：{kind}
双击：只看这一种</translation>
    </message>
    <message>
      <source>Show {what}</source>
      <translation>显示{what}</translation>
    </message>
    <message>
      <source>Show connections: {kind}</source>
      <translation>显示关系：{kind}</translation>
    </message>
    <message>
      <source>Only confirmed</source>
      <translation>仅经确认的</translation>
    </message>
    <message>
      <source>Show only connections that a model confirmed</source>
      <translation>只显示经模型确认的关系</translation>
    </message>
    <message>
      <source>Type</source>
      <translation>类型</translation>
    </message>
    <message>
      <source>Community</source>
      <translation>社群</translation>
    </message>
    <message>
      <source>Document</source>
      <translation>文档</translation>
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
      <source>Centrality</source>
      <translation>中心性</translation>
    </message>
    <message>
      <source>No document</source>
      <translation>无文档</translation>
    </message>
    <message>
      <source>Document {n}</source>
      <translation>文档 {n}</translation>
    </message>
    <message>
      <source>By themselves</source>
      <translation>不属于任何社群</translation>
    </message>
    <message>
      <source>Keep this view</source>
      <translation>保存此视图</translation>
    </message>
    <message>
      <source>Name of the view</source>
      <translation>视图名称</translation>
    </message>
    <message>
      <source>Kept as “{name}”</source>
      <translation>已保存为“{name}”</translation>
    </message>
    <message>
      <source>A way from {name} to… Click the other name, or find it above.</source>
      <translation>从“{name}”出发的路径：单击另一个名称，或在上方查找。</translation>
    </message>
    <message>
      <source>Nothing to show</source>
      <translation>没有可显示的内容</translation>
    </message>
    <message>
      <source>The names of this view are hidden or gone.</source>
      <translation>此视图中的名称已被隐藏或已不存在。</translation>
    </message>
    <message>
      <source>No names yet</source>
      <translation>还没有名称</translation>
    </message>
    <message>
      <source>Add a book and its names appear here in seconds.</source>
      <translation>添加一本书，几秒后它的名称就会出现在这里。</translation>
    </message>
    <message>
      <source>The graph could not be read</source>
      <translation>无法读取图谱</translation>
    </message>
    <message>
      <source>Open the library again.</source>
      <translation>请重新打开资料库。</translation>
    </message>
    <message>
      <source>Steps</source>
      <translation>步数</translation>
    </message>
    <message>
      <source>How many steps around the name are shown</source>
      <translation>显示该名称周围多少步</translation>
    </message>
    <message>
      <source>Steps around the name</source>
      <translation>名称周围的步数</translation>
    </message>
    <message>
      <source>Choose nothing</source>
      <translation>取消选择</translation>
    </message>
    <message>
      <source>Stop here</source>
      <translation>到此为止</translation>
    </message>
    <message>
      <source>Add the names the chosen ones are tied to (E)</source>
      <translation>添加与所选名称有关系的名称 (E)</translation>
    </message>
    <message>
      <source>Leave the chosen names out of this view (H)</source>
      <translation>在此视图中隐藏所选名称 (H)</translation>
    </message>
    <message>
      <source>Keep only</source>
      <translation>只留所选</translation>
    </message>
    <message>
      <source>Show only what is chosen (K)</source>
      <translation>只显示所选名称 (K)</translation>
    </message>
    <message>
      <source>Find a way</source>
      <translation>查找路径</translation>
    </message>
    <message>
      <source>The ways between two names, with what the text says (W)</source>
      <translation>两个名称之间的路径及原文依据 (W)</translation>
    </message>
    <message>
      <source>In common</source>
      <translation>共同关联</translation>
    </message>
    <message>
      <source>Add the names that all the chosen ones are tied to</source>
      <translation>添加与所选名称都有关系的名称</translation>
    </message>
    <message>
      <source>Hold the chosen names where they are (P)</source>
      <translation>把所选名称固定在当前位置 (P)</translation>
    </message>
    <message>
      <source>Find a way…</source>
      <translation>查找路径…</translation>
    </message>
    <message>
      <source>Keep what is reached</source>
      <translation>保留目前的排列</translation>
    </message>
    <message>
      <source>Name</source>
      <translation>名称</translation>
    </message>
    <message>
      <source>Tied to</source>
      <translation>相关名称</translation>
    </message>
    <message>
      <source>Kind</source>
      <translation>关系</translation>
    </message>
    <message>
      <source>Strength</source>
      <translation>强度</translation>
    </message>
    <message>
      <source>Passages</source>
      <translation>段落</translation>
    </message>
    <message>
      <source>What it says</source>
      <translation>原文内容</translation>
    </message>
    <message>
      <source>Names</source>
      <translation>名称</translation>
    </message>
    <message>
      <source>Filter the tables</source>
      <translation>筛选表格</translation>
    </message>
    <message>
      <source>Names in the graph</source>
      <translation>图谱中的名称</translation>
    </message>
    <message>
      <source>Connections in the graph</source>
      <translation>图谱中的关系</translation>
    </message>
    <message>
      <source>By connections</source>
      <translation>按关系</translation>
    </message>
    <message>
      <source>By community</source>
      <translation>按社群</translation>
    </message>
    <message>
      <source>Around one name</source>
      <translation>围绕一个名称</translation>
    </message>
    <message>
      <source>By order of appearance</source>
      <translation>按出场顺序</translation>
    </message>
    <message>
      <source>Circle</source>
      <translation>环形</translation>
    </message>
    <message>
      <source>Grid</source>
      <translation>网格</translation>
    </message>
    <message>
      <source>Picture (PNG)…</source>
      <translation>图片 (PNG)…</translation>
    </message>
    <message>
      <source>Picture of another size (PNG)…</source>
      <translation>其他尺寸的图片 (PNG)…</translation>
    </message>
    <message>
      <source>Picture (SVG)…</source>
      <translation>图片 (SVG)…</translation>
    </message>
    <message>
      <source>Gephi (GEXF)…</source>
      <translation>Gephi (GEXF)…</translation>
    </message>
    <message>
      <source>GraphML…</source>
      <translation>GraphML…</translation>
    </message>
    <message>
      <source>Tables (CSV)…</source>
      <translation>表格 (CSV)…</translation>
    </message>
    <message>
      <source>Family tree</source>
      <translation>家族关系图</translation>
    </message>
    <message>
      <source>Web of enemies</source>
      <translation>敌对关系网</translation>
    </message>
    <message>
      <source>Who loves whom</source>
      <translation>爱情关系网</translation>
    </message>
    <message>
      <source>Find a name</source>
      <translation>查找名称</translation>
    </message>
    <message>
      <source>As it was before</source>
      <translation>上一个视图</translation>
    </message>
    <message>
      <source>Forward again</source>
      <translation>下一个视图</translation>
    </message>
    <message>
      <source>Start from</source>
      <translation>起点</translation>
    </message>
    <message>
      <source>Arrange</source>
      <translation>排列</translation>
    </message>
    <message>
      <source>Tables of names and connections</source>
      <translation>名称与关系表格</translation>
    </message>
    <message>
      <source>More</source>
      <translation>更多</translation>
    </message>
    <message>
      <source>Communities: coarse or fine</source>
      <translation>社群粗细</translation>
    </message>
    <message>
      <source>Full screen (F)</source>
      <translation>全屏 (F)</translation>
    </message>
    <message>
      <source>All names</source>
      <translation>全部名称</translation>
    </message>
    <message>
      <source>Map of themes</source>
      <translation>主题图</translation>
    </message>
    <message>
      <source>Top names, themes, families, kept views</source>
      <translation>主要名称、主题、家族、已保存的视图</translation>
    </message>
    <message>
      <source>Layout, colours and sizes</source>
      <translation>布局、颜色与大小</translation>
    </message>
    <message>
      <source>Level {n}, the coarsest</source>
      <translation>第 {n} 层（最粗）</translation>
    </message>
    <message>
      <source>Level {n}</source>
      <translation>第 {n} 层</translation>
    </message>
    <message>
      <source>Layout</source>
      <translation>布局</translation>
    </message>
    <message>
      <source>Colour by</source>
      <translation>着色依据</translation>
    </message>
    <message>
      <source>Size by</source>
      <translation>大小依据</translation>
    </message>
    <message>
      <source>Export this view</source>
      <translation>导出此视图</translation>
    </message>
    <message>
      <source>By kind of connection</source>
      <translation>按关系类型</translation>
    </message>
    <message>
      <source>Kept views</source>
      <translation>已保存的视图</translation>
    </message>
    <message>
      <source>Keep this view…</source>
      <translation>保存此视图…</translation>
    </message>
    <message>
      <source>Forget a view</source>
      <translation>删除视图</translation>
    </message>
    <message numerus="yes">
      <source>Keep only these {n} names</source>
      <translation>
        <numerusform>只留这 {n} 个名称</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>They have {n} names in common.</source>
      <translation>
        <numerusform>它们有 {n} 个共同关联的名称。</numerusform>
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
      <source>{names}, {n} connections. Arrow keys go from name to name.</source>
      <translation>
        <numerusform>{names}，{n} 条关系。用方向键在名称之间移动。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{k} of {n} names, filtered</source>
      <translation>
        <numerusform>共 {n} 个名称，筛选后显示 {k} 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} strongest connections of each</source>
      <translation>
        <numerusform>每个名称最强的 {n} 条关系</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>All {n} names</source>
      <translation>
        <numerusform>全部 {n} 个名称</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{k} of {n} names, by connections</source>
      <translation>
        <numerusform>{n} 个名称中关系最多的 {k} 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{k} of {n} names</source>
      <translation>
        <numerusform>共 {n} 个名称，显示 {k} 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Add {n} names</source>
      <translation>
        <numerusform>添加 {n} 个名称</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{names} of {all} names, {n} connections</source>
      <translation>
        <numerusform>{names} / {all} 个名称，{n} 条关系</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} steps</source>
      <translation>
        <numerusform>{n} 步</numerusform>
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
      <source>Arranging {n} names</source>
      <translation>
        <numerusform>正在排列 {n} 个名称</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{names}, {n} connections</source>
      <translation>
        <numerusform>{names}，{n} 条关系</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Filters ({n} set)</source>
      <translation>
        <numerusform>筛选（{n} 项）</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} passages</source>
      <translation>
        <numerusform>{n} 个段落</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>A model speaks of it in {n} passages</source>
      <translation>
        <numerusform>模型在 {n} 个段落中谈到它</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} passages, a model speaks of {k} of them</source>
      <translation>
        <numerusform>{n} 个段落，模型谈到其中 {k} 个</numerusform>
      </translation>
    </message>
  </context>
</TS>

<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>Choose neighbours to add…</source>
      <translation>选择要添加的相邻实体…</translation>
    </message>
    <message>
      <source>Show only this and its neighbours</source>
      <translation>只显示它和相邻实体</translation>
    </message>
    <message>
      <source>Arrange around this</source>
      <translation>以它为中心排列</translation>
    </message>
    <message>
      <source>No common neighbours.</source>
      <translation>没有共同的相邻实体。</translation>
    </message>
    <message>
      <source>Fit everything</source>
      <translation>显示全部</translation>
    </message>
    <message>
      <source>Select all</source>
      <translation>全选</translation>
    </message>
    <message>
      <source>Rearrange</source>
      <translation>重新布局</translation>
    </message>
    <message>
      <source>Top names</source>
      <translation>主要实体</translation>
    </message>
    <message>
      <source>Common neighbours</source>
      <translation>共同相邻实体</translation>
    </message>
    <message>
      <source>Expand</source>
      <translation>展开</translation>
    </message>
    <message>
      <source>Hide</source>
      <translation>隐藏</translation>
    </message>
    <message>
      <source>Invert selection</source>
      <translation>反选</translation>
    </message>
    <message>
      <source>Zoom to selection</source>
      <translation>缩放到所选</translation>
    </message>
    <message>
      <source>Pin or unpin</source>
      <translation>固定或取消固定</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>打开</translation>
    </message>
    <message>
      <source>Find path to…</source>
      <translation>查找路径，通往…</translation>
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
      <source>Select its neighbours</source>
      <translation>选择相邻实体</translation>
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
      <source>All its neighbours are already shown.</source>
      <translation>相邻实体已全部显示。</translation>
    </message>
    <message>
      <source>Find path</source>
      <translation>查找路径</translation>
    </message>
    <message>
      <source>{name}, connected to {others}</source>
      <translation>{name}，与 {others} 有关系</translation>
    </message>
    <message>
      <source>Select the next name in that direction</source>
      <translation>选择该方向上的下一个实体</translation>
    </message>
    <message>
      <source>Open the selected name</source>
      <translation>打开所选实体</translation>
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
      <source>Expand the selected names</source>
      <translation>展开所选实体</translation>
    </message>
    <message>
      <source>Hide the selected names</source>
      <translation>隐藏所选实体</translation>
    </message>
    <message>
      <source>Show only the selected names</source>
      <translation>只显示所选实体</translation>
    </message>
    <message>
      <source>Pin the selected names</source>
      <translation>固定所选实体</translation>
    </message>
    <message>
      <source>Find path between two names</source>
      <translation>查找两个实体之间的路径</translation>
    </message>
    <message>
      <source>Full screen</source>
      <translation>全屏</translation>
    </message>
    <message>
      <source>Context menu</source>
      <translation>快捷菜单</translation>
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
      <source>{name}, no connections in this view</source>
      <translation>{name}，在此视图中没有关系</translation>
    </message>
    <message>
      <source>Graph of names</source>
      <translation>实体图谱</translation>
    </message>
    <message>
      <source>{names} and neighbours</source>
      <translation>{names}及相邻实体</translation>
    </message>
    <message>
      <source>Whole graph</source>
      <translation>完整图谱</translation>
    </message>
    <message>
      <source>shared passages</source>
      <translation>共同段落</translation>
    </message>
    <message>
      <source>Neighbours of {name} to add</source>
      <translation>要添加的 {name} 的相邻实体</translation>
    </message>
    <message>
      <source>All types</source>
      <translation>全部类型</translation>
    </message>
    <message>
      <source>Type</source>
      <translation>类型</translation>
    </message>
    <message>
      <source>All kinds</source>
      <translation>全部类型</translation>
    </message>
    <message>
      <source>Kind of connection</source>
      <translation>关系类型</translation>
    </message>
    <message>
      <source>All documents</source>
      <translation>全部文档</translation>
    </message>
    <message>
      <source>Document</source>
      <translation>文档</translation>
    </message>
    <message>
      <source>Connection strength</source>
      <translation>关系强度</translation>
    </message>
    <message>
      <source>Maximum number of names</source>
      <translation>实体数量上限</translation>
    </message>
    <message>
      <source>Names to add</source>
      <translation>要添加的实体</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>At most</source>
      <translation>最多</translation>
    </message>
    <message>
      <source>names, the strongest first</source>
      <translation>个实体，关系最强的优先</translation>
    </message>
    <message>
      <source>Saved {name}</source>
      <translation>已保存 {name}</translation>
    </message>
    <message>
      <source>Export selection</source>
      <translation>导出所选</translation>
    </message>
    <message>
      <source>Export view</source>
      <translation>导出视图</translation>
    </message>
    <message>
      <source>Copied the picture</source>
      <translation>已复制图片</translation>
    </message>
    <message>
      <source>Select names first: click them, or drag around them with Shift.</source>
      <translation>请先选择实体：单击，或按住 Shift 拖动框选。</translation>
    </message>
    <message>
      <source>{name}: the picture would be too large</source>
      <translation>{name} 的图片会过大</translation>
    </message>
    <message>
      <source>Picture size</source>
      <translation>图片大小</translation>
    </message>
    <message>
      <source>Width in pixels</source>
      <translation>宽度（像素）</translation>
    </message>
    <message>
      <source>× {height}, without the legend</source>
      <translation>× {height}，不含图例</translation>
    </message>
    <message>
      <source>{name} could not be written</source>
      <translation>无法写入 {name}</translation>
    </message>
    <message>
      <source>Export…</source>
      <translation>导出…</translation>
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
      <source>Name contains…</source>
      <translation>名称包含…</translation>
    </message>
    <message>
      <source>Connections</source>
      <translation>关系</translation>
    </message>
    <message>
      <source>Names without connections</source>
      <translation>没有关系的实体</translation>
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
      <source>Shortest path</source>
      <translation>最短路径</translation>
    </message>
    <message>
      <source>Strongest path</source>
      <translation>最强路径</translation>
    </message>
    <message>
      <source>Other path</source>
      <translation>其他路径</translation>
    </message>
    <message>
      <source>Select a name to see its details.</source>
      <translation>选择一个实体以查看详情。</translation>
    </message>
    <message>
      <source>Details of the selection</source>
      <translation>所选实体的详情</translation>
    </message>
    <message>
      <source>Most connected names</source>
      <translation>关系最多的实体</translation>
    </message>
    <message>
      <source>connections</source>
      <translation>关系</translation>
    </message>
    <message>
      <source>names</source>
      <translation>实体</translation>
    </message>
    <message>
      <source>Strongest connections</source>
      <translation>最强的关系</translation>
    </message>
    <message>
      <source>passages</source>
      <translation>段落</translation>
    </message>
    <message>
      <source>In the text</source>
      <translation>原文</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>{title}: {names}</source>
      <translation>{title}：{names}</translation>
    </message>
    <message>
      <source>Highlight this path</source>
      <translation>突出显示此路径</translation>
    </message>
    <message>
      <source>p. {page}</source>
      <translation>第 {page} 页</translation>
    </message>
    <message>
      <source>{title}, p. {page}</source>
      <translation>{title}，第 {page} 页</translation>
    </message>
    <message>
      <source>Open the page of this name</source>
      <translation>打开此实体的页面</translation>
    </message>
    <message>
      <source>Also: {names}</source>
      <translation>又名：{names}</translation>
    </message>
    <message>
      <source>No path connects these two names.</source>
      <translation>这两个实体之间没有路径。</translation>
    </message>
    <message>
      <source>Click to select these names</source>
      <translation>点击以选中这些实体</translation>
    </message>
    <message>
      <source>Open this passage</source>
      <translation>打开这一段</translation>
    </message>
    <message>
      <source>A line: named in one sentence or the next</source>
      <translation>连线：在同一句或相邻句中提到</translation>
    </message>
    <message>
      <source>Show or hide: {what}
Double-click: only these</source>
      <translation>显示或隐藏：{what}
双击：只看这一类</translation>
    </message>
    <message>
      <source>Show or hide connections: {kind}
Double-click: only these</source>
      <translation>显示或隐藏关系：{kind}
双击：只看这一种</translation>
    </message>
    <message>
      <source>{k} of {n}</source>
      <translation>{k} / {n}</translation>
    </message>
    <message>
      <source>Node size: {what}</source>
      <translation>节点大小：{what}</translation>
    </message>
    <message>
      <source>shown</source>
      <translation>已显示</translation>
    </message>
    <message>
      <source>Number {n} on the Communities screen</source>
      <translation>社群页面中的编号 {n}</translation>
    </message>
    <message>
      <source>Show {what}</source>
      <translation>显示{what}</translation>
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
      <source>Show connections: {kind}</source>
      <translation>显示关系：{kind}</translation>
    </message>
    <message>
      <source>Line width: {what}</source>
      <translation>线条粗细：{what}</translation>
    </message>
    <message>
      <source>Numbers of communities are those of the Communities screen, by size.</source>
      <translation>社群编号与社群页面一致，按规模排列。</translation>
    </message>
    <message>
      <source>Show less</source>
      <translation>收起</translation>
    </message>
    <message>
      <source>Show all {n}</source>
      <translation>显示全部 {n} 项</translation>
    </message>
    <message>
      <source>Hide the legend</source>
      <translation>隐藏图例</translation>
    </message>
    <message>
      <source>Show the legend</source>
      <translation>显示图例</translation>
    </message>
    <message>
      <source>Community</source>
      <translation>社群</translation>
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
      <source>Connections shown</source>
      <translation>显示的关系</translation>
    </message>
    <message>
      <source>Without a community</source>
      <translation>不属于任何社群</translation>
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
      <source>Stop and keep the current layout</source>
      <translation>停止并使用目前的布局</translation>
    </message>
    <message>
      <source>Show more</source>
      <translation>显示更多</translation>
    </message>
    <message>
      <source>Select a name to see all its connections.</source>
      <translation>选中一个实体即可查看它的全部关系。</translation>
    </message>
    <message>
      <source>More</source>
      <translation>更多</translation>
    </message>
    <message>
      <source>Number of steps around the name</source>
      <translation>与中心实体相隔的步数</translation>
    </message>
    <message>
      <source>Steps around the name</source>
      <translation>与中心实体相隔的步数</translation>
    </message>
    <message>
      <source>Clear selection</source>
      <translation>清除选择</translation>
    </message>
    <message>
      <source>Find path…</source>
      <translation>查找路径…</translation>
    </message>
    <message>
      <source>Steps: {n}</source>
      <translation>步数：{n}</translation>
    </message>
    <message>
      <source>Stop</source>
      <translation>停止</translation>
    </message>
    <message>
      <source>Loading the graph…</source>
      <translation>正在加载图谱…</translation>
    </message>
    <message>
      <source>Minimap</source>
      <translation>缩略图</translation>
    </message>
    <message>
      <source>Click to go there</source>
      <translation>单击以跳转</translation>
    </message>
    <message>
      <source>Add the neighbours of the selected names (E)</source>
      <translation>添加所选实体的相邻实体 (E)</translation>
    </message>
    <message>
      <source>Hide the selected names in this view (H)</source>
      <translation>在此视图中隐藏所选实体 (H)</translation>
    </message>
    <message>
      <source>Show only these</source>
      <translation>只显示所选</translation>
    </message>
    <message>
      <source>Show only the selected names (K)</source>
      <translation>只显示所选实体 (K)</translation>
    </message>
    <message>
      <source>Find paths between two names, with evidence (W)</source>
      <translation>查找两个实体之间的路径及原文依据 (W)</translation>
    </message>
    <message>
      <source>Fix the position of the selected names (P)</source>
      <translation>固定所选实体的位置 (P)</translation>
    </message>
    <message>
      <source>Add the neighbours that all selected names share</source>
      <translation>添加所选实体共同的相邻实体</translation>
    </message>
    <message>
      <source>strongest connections</source>
      <translation>仅显示最强的关系</translation>
    </message>
    <message>
      <source>Save view</source>
      <translation>保存视图</translation>
    </message>
    <message>
      <source>Name of the view</source>
      <translation>视图名称</translation>
    </message>
    <message>
      <source>Save</source>
      <translation>保存</translation>
    </message>
    <message>
      <source>View “{name}” deleted</source>
      <translation>已删除视图“{name}”</translation>
    </message>
    <message>
      <source>Saved as “{name}”</source>
      <translation>已保存为“{name}”</translation>
    </message>
    <message>
      <source>{n} drawn: the strongest of each name</source>
      <translation>显示 {n} 条：每个实体最强的关系</translation>
    </message>
    <message>
      <source>Path from {name} to… Click the other name or search for it above.</source>
      <translation>从 {name} 到…的路径：单击另一个实体，或在上方查找。</translation>
    </message>
    <message>
      <source>Nothing to show</source>
      <translation>没有可显示的内容</translation>
    </message>
    <message>
      <source>The names of this view are hidden or were deleted.</source>
      <translation>此视图中的实体已被隐藏或已不存在。</translation>
    </message>
    <message>
      <source>No names yet</source>
      <translation>还没有实体</translation>
    </message>
    <message>
      <source>Add a book and its names appear here in seconds.</source>
      <translation>添加一本书，几秒后它的实体就会出现在这里。</translation>
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
      <source>Name</source>
      <translation>名称</translation>
    </message>
    <message>
      <source>Connected to</source>
      <translation>相关实体</translation>
    </message>
    <message>
      <source>Kind</source>
      <translation>关系类型</translation>
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
      <source>Description</source>
      <translation>描述</translation>
    </message>
    <message>
      <source>Names</source>
      <translation>实体</translation>
    </message>
    <message>
      <source>Filter the tables</source>
      <translation>筛选表格</translation>
    </message>
    <message>
      <source>Names in the graph</source>
      <translation>图谱中的实体</translation>
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
      <translation>围绕一个实体</translation>
    </message>
    <message>
      <source>Timeline</source>
      <translation>时间线</translation>
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
      <source>Picture with size (PNG)…</source>
      <translation>指定大小的图片 (PNG)…</translation>
    </message>
    <message>
      <source>Picture (SVG)…</source>
      <translation>图片 (SVG)…</translation>
    </message>
    <message>
      <source>Picture (PDF)…</source>
      <translation>图片 (PDF)…</translation>
    </message>
    <message>
      <source>Copy picture</source>
      <translation>复制图片</translation>
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
      <source>Enemies</source>
      <translation>敌对关系</translation>
    </message>
    <message>
      <source>Love</source>
      <translation>爱情关系</translation>
    </message>
    <message>
      <source>Find a name</source>
      <translation>查找实体</translation>
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
      <source>Views</source>
      <translation>视图</translation>
    </message>
    <message>
      <source>Appearance</source>
      <translation>外观</translation>
    </message>
    <message>
      <source>Filter</source>
      <translation>筛选</translation>
    </message>
    <message>
      <source>Tables of names and connections</source>
      <translation>实体与关系表格</translation>
    </message>
    <message>
      <source>Tables</source>
      <translation>表格</translation>
    </message>
    <message>
      <source>Level {n}</source>
      <translation>第 {n} 层</translation>
    </message>
    <message>
      <source>Level {n} (coarsest)</source>
      <translation>第 {n} 层（最粗）</translation>
    </message>
    <message>
      <source>Community level</source>
      <translation>社群层级</translation>
    </message>
    <message>
      <source>Light background (for print)</source>
      <translation>浅色背景（适合打印）</translation>
    </message>
    <message>
      <source>Export the library…</source>
      <translation>导出资料库…</translation>
    </message>
    <message>
      <source>Full screen (F)</source>
      <translation>全屏 (F)</translation>
    </message>
    <message>
      <source>All names</source>
      <translation>全部实体</translation>
    </message>
    <message>
      <source>Saved views</source>
      <translation>已保存的视图</translation>
    </message>
    <message>
      <source>Save view…</source>
      <translation>保存视图…</translation>
    </message>
    <message>
      <source>Top names, communities, kinds of connections, saved views</source>
      <translation>主要实体、社群、关系类型、已保存的视图</translation>
    </message>
    <message>
      <source>Layout, colours and sizes</source>
      <translation>布局、颜色与大小</translation>
    </message>
    <message>
      <source>Filter ({n})</source>
      <translation>筛选（{n}）</translation>
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
      <source>By kind of connection</source>
      <translation>按关系类型</translation>
    </message>
    <message>
      <source>Delete view</source>
      <translation>删除视图</translation>
    </message>
    <message>
      <source>named together</source>
      <translation>一同提到</translation>
    </message>
    <message numerus="yes">
      <source>{n} common neighbours.</source>
      <translation>
        <numerusform>{n} 个共同相邻实体。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Show only these {n} names</source>
      <translation>
        <numerusform>只显示这 {n} 个实体</numerusform>
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
      <source>{names}, {n} connections. Arrow keys go from name to name.</source>
      <translation>
        <numerusform>{names}，{n} 条关系。用方向键在实体之间移动。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Add {n} names</source>
      <translation>
        <numerusform>添加 {n} 个实体</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{names} of {all} names, {n} connections</source>
      <translation>
        <numerusform>{names} / {all} 个实体，{n} 条关系</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} connections</source>
      <translation>
        <numerusform>{n} 条关系</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{k} of {n} connections drawn</source>
      <translation>
        <numerusform>共 {n} 条关系，显示 {k} 条</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} mentions</source>
      <translation>
        <numerusform>{n} 处提及</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} steps</source>
      <translation>
        <numerusform>{n} 步</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} documents</source>
      <translation>
        <numerusform>{n} 个文档</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Show {n} more</source>
      <translation>
        <numerusform>再显示 {n} 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} more</source>
      <translation>
        <numerusform>其余 {n} 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{k} of {n} names, filtered</source>
      <translation>
        <numerusform>共 {n} 个实体，筛选后显示 {k} 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} strongest connections per name</source>
      <translation>
        <numerusform>每个实体最强的 {n} 条关系</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Arranging {n} names</source>
      <translation>
        <numerusform>正在排列 {n} 个实体</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>All {n} names</source>
      <translation>
        <numerusform>全部 {n} 个实体</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{k} top names of {n}</source>
      <translation>
        <numerusform>{n} 个实体中的 {k} 个主要实体</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{k} of {n} names</source>
      <translation>
        <numerusform>共 {n} 个实体，显示 {k} 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} connections among them</source>
      <translation>
        <numerusform>其间 {n} 条关系</numerusform>
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
      <source>Confirmed by a model in {n} passages</source>
      <translation>
        <numerusform>模型在 {n} 个段落中确认</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} passages, {k} confirmed by a model</source>
      <translation>
        <numerusform>{n} 个段落，其中 {k} 个经模型确认</numerusform>
      </translation>
    </message>
  </context>
</TS>

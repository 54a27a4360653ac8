<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>Ask about this community</source>
      <translation>就此社群提问</translation>
    </message>
    <message>
      <source>Ask, from overview to details</source>
      <translation>提问：先总览，再细节</translation>
    </message>
    <message>
      <source>Pinned: the report will not be rewritten</source>
      <translation>已固定：不会重写此报告</translation>
    </message>
    <message>
      <source>Unpinned</source>
      <translation>已取消固定</translation>
    </message>
    <message>
      <source>Original report restored</source>
      <translation>已恢复原报告</translation>
    </message>
    <message>
      <source>Rewrite without a model</source>
      <translation>不用模型重写</translation>
    </message>
    <message>
      <source>Show in graph</source>
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
      <source>Report changed</source>
      <translation>报告已修改</translation>
    </message>
    <message>
      <source>Rewrite with {model}</source>
      <translation>用 {model} 重写</translation>
    </message>
    <message>
      <source>Rewrite with a model</source>
      <translation>用模型重写</translation>
    </message>
    <message>
      <source>Compare with “{title}”</source>
      <translation>与“{title}”比较</translation>
    </message>
    <message>
      <source>Largest first</source>
      <translation>实体最多的在前</translation>
    </message>
    <message>
      <source>Most important first</source>
      <translation>最重要的在前</translation>
    </message>
    <message>
      <source>By title</source>
      <translation>按标题</translation>
    </message>
    <message>
      <source>Written by {model}</source>
      <translation>由 {model} 撰写</translation>
    </message>
    <message>
      <source>Importance: {rating}</source>
      <translation>重要性：{rating}</translation>
    </message>
    <message>
      <source>{rating} of 10</source>
      <translation>{rating} / 10</translation>
    </message>
    <message>
      <source>Unconnected names</source>
      <translation>没有关系的实体</translation>
    </message>
    <message>
      <source>Untitled</source>
      <translation>无标题</translation>
    </message>
    <message>
      <source>Written by you</source>
      <translation>由您撰写</translation>
    </message>
    <message>
      <source>Written without a model</source>
      <translation>非模型生成</translation>
    </message>
    <message>
      <source>Written by {model}, edited by you</source>
      <translation>由 {model} 撰写，经您修改</translation>
    </message>
    <message>
      <source>Changed since the report was written</source>
      <translation>报告写成后有变化</translation>
    </message>
    <message>
      <source>Pinned: the report is not rewritten</source>
      <translation>已固定：不重写报告</translation>
    </message>
    <message>
      <source>Edited by you</source>
      <translation>经您修改</translation>
    </message>
    <message>
      <source>Keywords</source>
      <translation>关键词</translation>
    </message>
    <message>
      <source>Names only in this one</source>
      <translation>仅此社群有的实体</translation>
    </message>
    <message>
      <source>Compare two communities</source>
      <translation>比较两个社群</translation>
    </message>
    <message>
      <source>Names in both</source>
      <translation>共有的实体</translation>
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
      <source>Headline</source>
      <translation>要点标题</translation>
    </message>
    <message>
      <source>Text of the finding</source>
      <translation>要点正文</translation>
    </message>
    <message>
      <source>Remove</source>
      <translation>移除</translation>
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
      <source>Findings</source>
      <translation>要点</translation>
    </message>
    <message>
      <source>Add a finding</source>
      <translation>添加要点</translation>
    </message>
    <message>
      <source>Restore the original</source>
      <translation>恢复原报告</translation>
    </message>
    <message>
      <source>Write reports</source>
      <translation>撰写报告</translation>
    </message>
    <message>
      <source>Without a model, from counts and quotations (takes seconds)</source>
      <translation>不用模型，依据统计和引文（几秒即可）</translation>
    </message>
    <message>
      <source>Communities</source>
      <translation>社群</translation>
    </message>
    <message>
      <source>All</source>
      <translation>全部</translation>
    </message>
    <message>
      <source>Also rewrite reports that are up to date</source>
      <translation>同时重写仍然有效的报告</translation>
    </message>
    <message>
      <source>{reports}, {time}</source>
      <translation>{reports}，{time}</translation>
    </message>
    <message>
      <source>Search for a community</source>
      <translation>搜索社群</translation>
    </message>
    <message>
      <source>There is no other community to compare with.</source>
      <translation>没有其他社群可供比较。</translation>
    </message>
    <message>
      <source>No names in common</source>
      <translation>没有共有的实体</translation>
    </message>
    <message>
      <source>No connections between them</source>
      <translation>两者之间没有关系</translation>
    </message>
    <message>
      <source>Keep</source>
      <translation>保留</translation>
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
      <source>Writes the missing and outdated reports. Reports that you edited or pinned are not changed.</source>
      <translation>撰写缺少的和过时的报告。您修改过或固定的报告不会改动。</translation>
    </message>
    <message>
      <source>Method</source>
      <translation>方法</translation>
    </message>
    <message>
      <source>With {model}</source>
      <translation>用 {model}</translation>
    </message>
    <message>
      <source>With a model (none is installed)</source>
      <translation>用模型（尚未安装）</translation>
    </message>
    <message>
      <source>Write</source>
      <translation>撰写</translation>
    </message>
    <message>
      <source>There is nothing to write: all reports are up to date.</source>
      <translation>没有需要撰写的报告：全部都是最新的。</translation>
    </message>
    <message>
      <source>The best connected names and their connections</source>
      <translation>关系最多的实体及其关系</translation>
    </message>
    <message>
      <source>{names} ({share}% of all)</source>
      <translation>{names}（占全部的 {share}%）</translation>
    </message>
    <message>
      <source>Pinned</source>
      <translation>已固定</translation>
    </message>
    <message>
      <source>More</source>
      <translation>更多</translation>
    </message>
    <message>
      <source>Out of date</source>
      <translation>已过时</translation>
    </message>
    <message>
      <source>Names</source>
      <translation>实体</translation>
    </message>
    <message>
      <source>Kinds of connections: {kinds}</source>
      <translation>关系类型：{kinds}</translation>
    </message>
    <message>
      <source>Keywords: {words}</source>
      <translation>关键词：{words}</translation>
    </message>
    <message>
      <source>Pin: never rewrite the report</source>
      <translation>固定：不再重写此报告</translation>
    </message>
    <message>
      <source>Show the evidence</source>
      <translation>显示依据</translation>
    </message>
    <message>
      <source>Strongest connections</source>
      <translation>最强的关系</translation>
    </message>
    <message>
      <source>Where it occurs</source>
      <translation>出现位置</translation>
    </message>
    <message>
      <source>Subcommunities</source>
      <translation>子社群</translation>
    </message>
    <message>
      <source>Related communities</source>
      <translation>相关社群</translation>
    </message>
    <message>
      <source>Example sentences</source>
      <translation>例句</translation>
    </message>
    <message>
      <source>, </source>
      <translation>、</translation>
    </message>
    <message>
      <source>Most in {headings}</source>
      <translation>主要见于 {headings}</translation>
    </message>
    <message>
      <source>Rewrite the report</source>
      <translation>重写报告</translation>
    </message>
    <message>
      <source>Colour the graph by community</source>
      <translation>按社群给图谱着色</translation>
    </message>
    <message>
      <source>Open in the document</source>
      <translation>在文档中打开</translation>
    </message>
    <message>
      <source>p. {page}</source>
      <translation>第 {page} 页</translation>
    </message>
    <message>
      <source>The graph has changed since the communities were found</source>
      <translation>划分社群之后，图谱有变化</translation>
    </message>
    <message>
      <source>Write reports for all communities, or for those that changed</source>
      <translation>为全部社群或有变化的社群撰写报告</translation>
    </message>
    <message>
      <source>{done} of {total} written</source>
      <translation>已写 {done} / {total}</translation>
    </message>
    <message>
      <source>Finding groups of closely connected names…</source>
      <translation>正在划分社群…</translation>
    </message>
    <message>
      <source>A community is a group of closely connected names, with a report on what it is about. Communities are found automatically when you add documents.</source>
      <translation>社群是一组关系密切的实体，并附有说明其内容的报告。添加文档后会自动划分社群。</translation>
    </message>
    <message>
      <source>Its report is shown here, with the evidence.</source>
      <translation>这里显示它的报告和依据。</translation>
    </message>
    <message>
      <source>All communities</source>
      <translation>全部社群</translation>
    </message>
    <message>
      <source>Update</source>
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
      <source>Resume writing</source>
      <translation>继续撰写</translation>
    </message>
    <message>
      <source>Stop writing</source>
      <translation>停止撰写</translation>
    </message>
    <message>
      <source>Groups of closely connected names</source>
      <translation>关系密切的实体组成的群体</translation>
    </message>
    <message>
      <source>Paused</source>
      <translation>已暂停</translation>
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
      <source>Select a community</source>
      <translation>选择一个社群</translation>
    </message>
    <message>
      <source>Loading the report…</source>
      <translation>正在加载报告…</translation>
    </message>
    <message>
      <source>Find a community</source>
      <translation>查找社群</translation>
    </message>
    <message>
      <source>Switch between tree and map</source>
      <translation>切换树形与地图</translation>
    </message>
    <message>
      <source>{n} in all, on {levels} levels</source>
      <translation>共 {n} 个，分 {levels} 层</translation>
    </message>
    <message>
      <source>Writing…</source>
      <translation>正在撰写…</translation>
    </message>
    <message>
      <source>The bar shows the importance</source>
      <translation>条形表示重要性</translation>
    </message>
    <message>
      <source>The bar shows the size</source>
      <translation>条形表示规模（实体数）</translation>
    </message>
    <message>
      <source>Show as a tree</source>
      <translation>显示为树形列表</translation>
    </message>
    <message>
      <source>Show as a map</source>
      <translation>显示为矩形树图</translation>
    </message>
    <message>
      <source>Find</source>
      <translation>查找</translation>
    </message>
    <message>
      <source>Order of the list</source>
      <translation>列表顺序</translation>
    </message>
    <message>
      <source>List</source>
      <translation>列表</translation>
    </message>
    <message>
      <source>Treemap</source>
      <translation>矩形树图</translation>
    </message>
    <message>
      <source>Hide the small ones</source>
      <translation>隐藏小社群</translation>
    </message>
    <message>
      <source>Treemap of communities</source>
      <translation>社群矩形树图</translation>
    </message>
    <message>
      <source>Up one level</source>
      <translation>上一级</translation>
    </message>
    <message>
      <source>Click again to open it</source>
      <translation>再次点击即可进入</translation>
    </message>
    <message numerus="yes">
      <source>{n} names</source>
      <translation>
        <numerusform>{n} 个实体</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} names only here</source>
      <translation>
        <numerusform>{n} 个实体仅在此处</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} reports</source>
      <translation>
        <numerusform>{n} 份报告</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>All ({n})</source>
      <translation>
        <numerusform>全部（{n}）</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} names in common</source>
      <translation>
        <numerusform>{n} 个共有实体</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} connections between them</source>
      <translation>
        <numerusform>两者之间 {n} 条关系</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Top level ({n})</source>
      <translation>
        <numerusform>顶层（{n}）</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Top {levels} levels ({n})</source>
      <translation>
        <numerusform>前 {levels} 层（{n}）</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} connections drawn</source>
      <translation>
        <numerusform>显示 {n} 条关系</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Show {n} passages</source>
      <translation>
        <numerusform>显示 {n} 个段落</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Show {n} of {total} passages</source>
      <translation>
        <numerusform>显示 {total} 个段落中的 {n} 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Hide the passages</source>
      <translation>
        <numerusform>隐藏段落</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} more</source>
      <translation>
        <numerusform>其余 {n} 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} connections</source>
      <translation>
        <numerusform>{n} 条关系</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} mentions</source>
      <translation>
        <numerusform>{n} 处提及</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} outdated</source>
      <translation>
        <numerusform>{n} 个已过时</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} in all</source>
      <translation>
        <numerusform>共 {n} 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} main communities</source>
      <translation>
        <numerusform>{n} 个主要社群</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Show {n} small ones</source>
      <translation>
        <numerusform>显示 {n} 个小社群</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} found</source>
      <translation>
        <numerusform>找到 {n} 个</numerusform>
      </translation>
    </message>
  </context>
</TS>

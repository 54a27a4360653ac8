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
      <source>Decide later (Ctrl+J)</source>
      <translation>稍后决定 (Ctrl+J)</translation>
    </message>
    <message>
      <source>Assign all remaining mentions of this name</source>
      <translation>将此实体余下的提及全部归入</translation>
    </message>
    <message>
      <source>Nothing to clarify</source>
      <translation>没有需要澄清的提及</translation>
    </message>
    <message>
      <source>After a name was split, its later mentions are assigned by document and by neighbouring names. Mentions that remain unclear are listed here.</source>
      <translation>实体拆分后，后来的提及会按文档和邻近实体归入其中一个；仍不明确的提及列在这里。</translation>
    </message>
    <message>
      <source>Which “{name}” is meant?</source>
      <translation>这里的“{name}”指哪一个？</translation>
    </message>
    <message>
      <source>{count}, currently assigned</source>
      <translation>{count}，目前归于此处</translation>
    </message>
    <message>
      <source>It is a different person or thing</source>
      <translation>这是另一个人或事物</translation>
    </message>
    <message>
      <source>Separate</source>
      <translation>分开</translation>
    </message>
    <message>
      <source>Separate {name}</source>
      <translation>分开 {name}</translation>
    </message>
    <message>
      <source>Names merged automatically</source>
      <translation>自动合并的实体</translation>
    </message>
    <message>
      <source>Find a name</source>
      <translation>查找实体</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>打开</translation>
    </message>
    <message>
      <source>Nothing merged automatically</source>
      <translation>没有自动合并的实体</translation>
    </message>
    <message>
      <source>Names that clearly belong together, such as “Mr. Darcy” and “Darcy”, are merged during indexing and listed here.</source>
      <translation>明显属于同一对象的实体（如“Mr. Darcy”和“Darcy”）在建立索引时合并，并列在这里。</translation>
    </message>
    <message>
      <source>No matching names</source>
      <translation>没有匹配的实体</translation>
    </message>
    <message>
      <source>Try another search.</source>
      <translation>请换一个查找词。</translation>
    </message>
    <message>
      <source>Very likely the same</source>
      <translation>极可能是同一对象</translation>
    </message>
    <message>
      <source>Likely the same</source>
      <translation>很可能是同一对象</translation>
    </message>
    <message>
      <source>Uncertain</source>
      <translation>不确定</translation>
    </message>
    <message>
      <source>same words</source>
      <translation>词语相同</translation>
    </message>
    <message>
      <source>same letters</source>
      <translation>字母相同</translation>
    </message>
    <message>
      <source>another title</source>
      <translation>称谓不同</translation>
    </message>
    <message>
      <source>short first name</source>
      <translation>名字的简称</translation>
    </message>
    <message>
      <source>initials</source>
      <translation>首字母缩写</translation>
    </message>
    <message>
      <source>“also called”</source>
      <translation>“又名”</translation>
    </message>
    <message>
      <source>nickname before the name</source>
      <translation>姓名前的绰号</translation>
    </message>
    <message>
      <source>part of the name</source>
      <translation>名称的一部分</translation>
    </message>
    <message>
      <source>same surname</source>
      <translation>同姓</translation>
    </message>
    <message>
      <source>same pronunciation</source>
      <translation>读音相同</translation>
    </message>
    <message>
      <source>similar spelling</source>
      <translation>拼写相近</translation>
    </message>
    <message>
      <source>similar description</source>
      <translation>描述相近</translation>
    </message>
    <message>
      <source>same first character</source>
      <translation>首字相同</translation>
    </message>
    <message>
      <source>same connections</source>
      <translation>关系相同</translation>
    </message>
    <message>
      <source>shared surname “{name}”</source>
      <translation>同姓“{name}”</translation>
    </message>
    <message>
      <source>in common: “{name}”</source>
      <translation>相同部分：“{name}”</translation>
    </message>
    <message>
      <source>{kind}: “{name}”</source>
      <translation>{kind}：“{name}”</translation>
    </message>
    <message>
      <source>{shared}, in “{name}”</source>
      <translation>{shared}，见“{name}”</translation>
    </message>
    <message>
      <source>Strict: few suggestions</source>
      <translation>严格：建议较少</translation>
    </message>
    <message>
      <source>Normal</source>
      <translation>标准</translation>
    </message>
    <message>
      <source>Loose: all possible</source>
      <translation>宽松：列出所有可能</translation>
    </message>
    <message>
      <source>New ones, then the most mentions moved</source>
      <translation>新的在前，其余按涉及的提及数</translation>
    </message>
    <message>
      <source>Most likely first</source>
      <translation>可能性最高的在前</translation>
    </message>
    <message>
      <source>Largest first</source>
      <translation>实体最多的在前</translation>
    </message>
    <message>
      <source>Most mentioned first</source>
      <translation>提及最多的在前</translation>
    </message>
    <message>
      <source>Model's certainty</source>
      <translation>按模型的把握</translation>
    </message>
    <message>
      <source>model {n}%</source>
      <translation>模型 {n}%</translation>
    </message>
    <message>
      <source>evidence against</source>
      <translation>有反面证据</translation>
    </message>
    <message>
      <source>Possible duplicates</source>
      <translation>可能重复的实体</translation>
    </message>
    <message>
      <source>Look for duplicates again</source>
      <translation>重新查找重复项</translation>
    </message>
    <message>
      <source>Filter and order</source>
      <translation>筛选和排序</translation>
    </message>
    <message>
      <source>Type</source>
      <translation>类型</translation>
    </message>
    <message>
      <source>Merge all very likely…</source>
      <translation>合并所有极可能的…</translation>
    </message>
    <message>
      <source>Ask the chat model about this suggestion</source>
      <translation>就此建议询问对话模型</translation>
    </message>
    <message>
      <source>Ask the chat model about all suggestions</source>
      <translation>就全部建议询问对话模型</translation>
    </message>
    <message>
      <source>History of changes…</source>
      <translation>更改历史…</translation>
    </message>
    <message>
      <source>Names have changed: compare all names again (Ctrl+R)</source>
      <translation>实体有变化：重新比较全部实体 (Ctrl+R)</translation>
    </message>
    <message>
      <source>Compare all names again to find new suggestions (Ctrl+R)</source>
      <translation>重新比较全部实体，查找新的建议 (Ctrl+R)</translation>
    </message>
    <message>
      <source>Select all shown suggestions: {kind}</source>
      <translation>选中列表中所有同类建议：{kind}</translation>
    </message>
    <message>
      <source>Any</source>
      <translation>不限</translation>
    </message>
    <message>
      <source>No others of this kind</source>
      <translation>没有其他同类建议</translation>
    </message>
    <message>
      <source>Select all {n} suggestions of this kind</source>
      <translation>选中全部 {n} 条同类建议</translation>
    </message>
    <message>
      <source>Select all {n} of this kind</source>
      <translation>选中同类 {n} 条</translation>
    </message>
    <message>
      <source>Connected with: {names}</source>
      <translation>相关实体：{names}</translation>
    </message>
    <message>
      <source>Nothing is changed before you have seen the list again.</source>
      <translation>再次确认列表之前，不会做任何更改。</translation>
    </message>
    <message>
      <source>Include in the merge (Alt+{n})</source>
      <translation>加入合并 (Alt+{n})</translation>
    </message>
    <message>
      <source>Name to keep</source>
      <translation>保留的名称</translation>
    </message>
    <message>
      <source>Open {name}</source>
      <translation>打开“{name}”</translation>
    </message>
    <message>
      <source>Also: {names}</source>
      <translation>又名：{names}</translation>
    </message>
    <message>
      <source>Evidence for</source>
      <translation>正面证据</translation>
    </message>
    <message>
      <source>Evidence against</source>
      <translation>反面证据</translation>
    </message>
    <message>
      <source>Show all of them ({keys})</source>
      <translation>全部显示 ({keys})</translation>
    </message>
    <message>
      <source>Merge</source>
      <translation>合并</translation>
    </message>
    <message>
      <source>Merge the selected names ({keys})</source>
      <translation>合并所选实体 ({keys})</translation>
    </message>
    <message>
      <source>Never merge</source>
      <translation>永不合并</translation>
    </message>
    <message>
      <source>Never merge the selected names (Ctrl+D)</source>
      <translation>永不合并所选实体 (Ctrl+D)</translation>
    </message>
    <message>
      <source>Compare</source>
      <translation>比较</translation>
    </message>
    <message>
      <source>Compare the first two selected names (Ctrl+Shift+M)</source>
      <translation>比较所选的前两个实体 (Ctrl+Shift+M)</translation>
    </message>
    <message>
      <source>After merging: {facts}.</source>
      <translation>合并后：{facts}。</translation>
    </message>
    <message>
      <source>The most complete name is suggested.</source>
      <translation>建议保留最完整的名称。</translation>
    </message>
    <message>
      <source>The name with most mentions is suggested.</source>
      <translation>建议保留提及最多的名称。</translation>
    </message>
    <message>
      <source>Both connected with: {names}</source>
      <translation>都与这些实体有关系：{names}</translation>
    </message>
    <message>
      <source>The chat model says “the same” with {n}%, which may be wrong.</source>
      <translation>对话模型认为二者相同，把握为 {n}%，但可能有误。</translation>
    </message>
    <message>
      <source>Select none</source>
      <translation>全不选</translation>
    </message>
    <message>
      <source>Select all</source>
      <translation>全选</translation>
    </message>
    <message>
      <source>Select at least two names.</source>
      <translation>请至少选择两个实体。</translation>
    </message>
    <message>
      <source>None found</source>
      <translation>没有发现</translation>
    </message>
    <message>
      <source>Uncheck what may be the same (Space). One undo reverts all.</source>
      <translation>取消勾选可能相同的条目（空格键）。撤销一次即可全部还原。</translation>
    </message>
    <message>
      <source>Uncheck what does not belong together (Space). Each entry keeps its first name. One undo reverts all.</source>
      <translation>取消勾选不该合并的项（空格键）。每项保留排在最前的名称。一次撤销即可全部还原。</translation>
    </message>
    <message>
      <source>Clusters to merge</source>
      <translation>要合并的各组</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>To decide</source>
      <translation>待处理</translation>
    </message>
    <message>
      <source>Merged automatically</source>
      <translation>已自动合并</translation>
    </message>
    <message>
      <source>Ambiguous mentions</source>
      <translation>有歧义的提及</translation>
    </message>
    <message>
      <source>Comparing all names of the library…</source>
      <translation>正在比较资料库中的全部实体…</translation>
    </message>
    <message>
      <source>Merge the selected suggestions</source>
      <translation>合并选中的建议</translation>
    </message>
    <message>
      <source>Never merge the selected suggestions</source>
      <translation>永不合并选中的建议</translation>
    </message>
    <message>
      <source>“{name}” is a separate name again</source>
      <translation>“{name}”已恢复为独立实体</translation>
    </message>
    <message>
      <source>Nothing to merge</source>
      <translation>没有可合并的实体</translation>
    </message>
    <message>
      <source>Merge desk</source>
      <translation>合并建议</translation>
    </message>
    <message>
      <source>Select all or none</source>
      <translation>全选或全不选</translation>
    </message>
    <message>
      <source>The search failed</source>
      <translation>查找失败</translation>
    </message>
    <message>
      <source>Try again, or see the log.</source>
      <translation>请重试，或查看日志。</translation>
    </message>
    <message>
      <source>Parts of the merge desk</source>
      <translation>“合并建议”的各部分</translation>
    </message>
    <message>
      <source>Merge these names</source>
      <translation>合并这些实体</translation>
    </message>
    <message>
      <source>Merge several</source>
      <translation>合并多个</translation>
    </message>
    <message>
      <source>Never merge these</source>
      <translation>永不合并这些实体</translation>
    </message>
    <message>
      <source>Compare these names</source>
      <translation>比较这些实体</translation>
    </message>
    <message>
      <source>Decide later</source>
      <translation>稍后决定</translation>
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
      <source>Names that may be the same are suggested here after indexing. For more suggestions, choose a looser setting.</source>
      <translation>建立索引后，可能相同的实体会在此处列出。可选择更宽松的设置以获得更多建议。</translation>
    </message>
    <message>
      <source>Merge very likely duplicates</source>
      <translation>合并极可能重复的实体</translation>
    </message>
    <message>
      <source>None of these is very likely. Decide one by one.</source>
      <translation>这些建议都不是极可能的，请逐个决定。</translation>
    </message>
    <message>
      <source>Merge into “{name}”</source>
      <translation>合并到“{name}”</translation>
    </message>
    <message>
      <source>No matching suggestions</source>
      <translation>没有匹配的建议</translation>
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
      <source>Assign all {n} to “{name}”</source>
      <translation>
        <numerusform>将全部 {n} 处归入“{name}”</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} merged names</source>
      <translation>
        <numerusform>已合并 {n} 个实体</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} connections</source>
      <translation>
        <numerusform>{n} 条关系</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} of {total} names selected.</source>
      <translation>
        <numerusform>已选 {n} 个实体，共 {total} 个。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} suggestions selected</source>
      <translation>
        <numerusform>已选中 {n} 条建议</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Merge {n}…</source>
      <translation>
        <numerusform>合并 {n} 条…</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Never merge {n}…</source>
      <translation>
        <numerusform>永不合并 {n} 条…</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} more</source>
      <translation>
        <numerusform>其余 {n} 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Review {n} suggestions with {name}…</source>
      <translation>
        <numerusform>查看与 {name} 有关的 {n} 条建议…</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} duplicate connections combined</source>
      <translation>
        <numerusform>重复关系 {n} 条（合并）</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} self-connections removed</source>
      <translation>
        <numerusform>自身关系 {n} 条（移除）</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} suggestions are left for later: their names are in others, too.</source>
      <translation>
        <numerusform>{n} 条建议留待以后处理：其中的实体也出现在其他建议中。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Asking the chat model about {n} suggestions…</source>
      <translation>
        <numerusform>正在就 {n} 条建议询问对话模型…</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} of {total} selected</source>
      <translation>
        <numerusform>已选中 {total} 条中的 {n} 条</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Never merge {n}</source>
      <translation>
        <numerusform>永不合并 {n} 条</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} merges of {total} selected</source>
      <translation>
        <numerusform>已选 {n} 项合并，共 {total} 项</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Merge {n}</source>
      <translation>
        <numerusform>合并 {n} 组</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>The chat model was asked about {n} suggestions.</source>
      <translation>
        <numerusform>已就 {n} 条建议询问对话模型。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Merged {n} names into “{name}”</source>
      <translation>
        <numerusform>已将 {n} 个实体合并为“{name}”</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} names will not be merged</source>
      <translation>
        <numerusform>{n} 个实体不会合并</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Merged {n} names into {into}</source>
      <translation>
        <numerusform>已将 {n} 个实体合并为 {into}</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} mentions assigned</source>
      <translation>
        <numerusform>已归入 {n} 处提及</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} names</source>
      <translation>
        <numerusform>{n} 个实体</numerusform>
      </translation>
    </message>
  </context>
</TS>

<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>{place}. {name}, {type}</source>
      <translation>{place}. {name}，{type}</translation>
    </message>
    <message>
      <source>Connections of {name}</source>
      <translation>{name}的关系</translation>
    </message>
    <message>
      <source>{name} beside {other}</source>
      <translation>{name} 与 {other} 对比</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>打开</translation>
    </message>
    <message>
      <source>Open {name}</source>
      <translation>打开“{name}”</translation>
    </message>
    <message>
      <source>No connection in common</source>
      <translation>没有共同的关系</translation>
    </message>
    <message>
      <source>Only what is in common</source>
      <translation>只看共同的</translation>
    </message>
    <message>
      <source>Never merge these</source>
      <translation>永不合并这些名称</translation>
    </message>
    <message>
      <source>Keep them apart, whatever would join them</source>
      <translation>无论如何都让它们分开</translation>
    </message>
    <message>
      <source>{place}. {name}, {type}, tied to both</source>
      <translation>{place}. {name}，{type}，与两者都有关系</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Merge…</source>
      <translation>合并…</translation>
    </message>
    <message>
      <source>also: {names}</source>
      <translation>又名：{names}</translation>
    </message>
    <message>
      <source>never in one sentence</source>
      <translation>从未出现在同一句</translation>
    </message>
    <message>
      <source>Undone: {what}</source>
      <translation>已撤销：{what}</translation>
    </message>
    <message>
      <source>Made again: {what}</source>
      <translation>已重做：{what}</translation>
    </message>
    <message>
      <source>There is nothing left.</source>
      <translation>没有可撤销或重做的了。</translation>
    </message>
    <message>
      <source>Undo</source>
      <translation>撤销</translation>
    </message>
    <message>
      <source>{names} made an {type}</source>
      <translation>{names}的类型已改为{type}</translation>
    </message>
    <message>
      <source>{names} made a {type}</source>
      <translation>{names}的类型已改为{type}</translation>
    </message>
    <message>
      <source>Deleted {names}, and never again</source>
      <translation>已删除{names}，以后也不再出现</translation>
    </message>
    <message>
      <source>Deleted {names}</source>
      <translation>已删除{names}</translation>
    </message>
    <message>
      <source>Delete</source>
      <translation>删除</translation>
    </message>
    <message>
      <source>Delete, and never again</source>
      <translation>删除，且不再出现</translation>
    </message>
    <message>
      <source>Rename</source>
      <translation>重命名</translation>
    </message>
    <message>
      <source>Another name of “{name}”</source>
      <translation>“{name}”的别名</translation>
    </message>
    <message>
      <source>Add a name</source>
      <translation>添加名称</translation>
    </message>
    <message>
      <source>“{name}” and “{other}” are no longer connected</source>
      <translation>“{name}”和“{other}”不再有关系</translation>
    </message>
    <message>
      <source>Rename…</source>
      <translation>重命名…</translation>
    </message>
    <message>
      <source>Describe…</source>
      <translation>编辑描述…</translation>
    </message>
    <message>
      <source>Add another name…</source>
      <translation>添加别名…</translation>
    </message>
    <message>
      <source>Change type</source>
      <translation>更改类型</translation>
    </message>
    <message>
      <source>Merge with…</source>
      <translation>与其他名称合并…</translation>
    </message>
    <message>
      <source>Compare with…</source>
      <translation>与其他名称对比…</translation>
    </message>
    <message>
      <source>Split…</source>
      <translation>拆分…</translation>
    </message>
    <message>
      <source>Connect with…</source>
      <translation>建立关系…</translation>
    </message>
    <message>
      <source>The old name stays as another name of it, and is found as before.</source>
      <translation>旧名称保留为别名，仍可照常找到。</translation>
    </message>
    <message>
      <source>Renamed to “{name}”</source>
      <translation>已重命名为“{name}”</translation>
    </message>
    <message>
      <source>Describe “{name}”</source>
      <translation>描述“{name}”</translation>
    </message>
    <message>
      <source>Wherever it stands, now or in documents to come, it means the same.</source>
      <translation>无论出现在现有文档还是以后的文档，都指同一个。</translation>
    </message>
    <message>
      <source>Add</source>
      <translation>添加</translation>
    </message>
    <message>
      <source>“{name}” stands for itself again</source>
      <translation>“{name}”重新成为独立的名称</translation>
    </message>
    <message>
      <source>Compare “{name}” with…</source>
      <translation>将“{name}”与…对比</translation>
    </message>
    <message>
      <source>Compare</source>
      <translation>对比</translation>
    </message>
    <message>
      <source>{names} stay apart</source>
      <translation>{names}保持分开</translation>
    </message>
    <message>
      <source>Connection changed</source>
      <translation>关系已更改</translation>
    </message>
    <message>
      <source>Connection added</source>
      <translation>关系已添加</translation>
    </message>
    <message>
      <source>“{name}” is “{other}” too</source>
      <translation>“{name}”也叫“{other}”</translation>
    </message>
    <message>
      <source>“{name}” added</source>
      <translation>已添加“{name}”</translation>
    </message>
    <message>
      <source>“{name}” described</source>
      <translation>已更新“{name}”的描述</translation>
    </message>
    <message>
      <source>The text describes it again</source>
      <translation>已恢复为文本给出的描述</translation>
    </message>
    <message>
      <source>“{name}” split off “{other}”</source>
      <translation>已从“{other}”拆分出“{name}”</translation>
    </message>
    <message>
      <source>Before all of these</source>
      <translation>所有更改之前</translation>
    </message>
    <message>
      <source>Newest first. Choose one to go back to it, or forward again; nothing is lost.</source>
      <translation>最新的在前。选择一项即可回到那时，也可再前进；什么都不会丢失。</translation>
    </message>
    <message>
      <source>What was changed by hand, newest first. Going back to one takes back every later change in the library, of other names too; nothing is lost.</source>
      <translation>手动更改，最新的在前。回到某一项会撤回资料库中此后的所有更改，包括其他名称的；什么都不会丢失。</translation>
    </message>
    <message>
      <source>Changes, newest first</source>
      <translation>更改，最新的在前</translation>
    </message>
    <message>
      <source>Nothing has been changed by hand yet.</source>
      <translation>还没有手动更改。</translation>
    </message>
    <message>
      <source>Go to this one</source>
      <translation>回到这一项</translation>
    </message>
    <message>
      <source>History of “{name}”</source>
      <translation>“{name}”的更改历史</translation>
    </message>
    <message>
      <source>History of changes</source>
      <translation>更改历史</translation>
    </message>
    <message>
      <source>Taken back</source>
      <translation>已撤回</translation>
    </message>
    <message>
      <source>What the text gives</source>
      <translation>文本给出的</translation>
    </message>
    <message>
      <source>Tick one.</source>
      <translation>请勾选一个。</translation>
    </message>
    <message>
      <source>Tick one or more.</source>
      <translation>请勾选一个或多个。</translation>
    </message>
    <message>
      <source>Name</source>
      <translation>名称</translation>
    </message>
    <message>
      <source>Description</source>
      <translation>描述</translation>
    </message>
    <message>
      <source>Type</source>
      <translation>类型</translation>
    </message>
    <message>
      <source>You kept apart: {pairs}. Merging takes that back.</source>
      <translation>你曾让它们分开：{pairs}。合并会取消这一决定。</translation>
    </message>
    <message>
      <source>Find a name</source>
      <translation>查找名称</translation>
    </message>
    <message>
      <source>Names that mean the same</source>
      <translation>查找含义相同的名称</translation>
    </message>
    <message>
      <source>Names found</source>
      <translation>找到的名称</translation>
    </message>
    <message>
      <source>Afterwards</source>
      <translation>合并后</translation>
    </message>
    <message>
      <source>{name} and {other}</source>
      <translation>{name} 和 {other}</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>Merge</source>
      <translation>合并</translation>
    </message>
    <message>
      <source>Merge “{name}” with…</source>
      <translation>将“{name}”与…合并</translation>
    </message>
    <message>
      <source>With: {names}</source>
      <translation>与：{names}</translation>
    </message>
    <message>
      <source>Names</source>
      <translation>名称</translation>
    </message>
    <message>
      <source>Mentions</source>
      <translation>提及</translation>
    </message>
    <message>
      <source>Connections</source>
      <translation>关系</translation>
    </message>
    <message>
      <source>Connections that become one</source>
      <translation>合为一条的关系</translation>
    </message>
    <message>
      <source>Connections among them, which go</source>
      <translation>彼此之间的关系（将去掉）</translation>
    </message>
    <message>
      <source>Preview…</source>
      <translation>预览…</translation>
    </message>
    <message>
      <source>What is known of it (may stay empty)</source>
      <translation>关于它的描述（可留空）</translation>
    </message>
    <message>
      <source>Use what the text gives</source>
      <translation>使用文本给出的</translation>
    </message>
    <message>
      <source>Save</source>
      <translation>保存</translation>
    </message>
    <message>
      <source>Connect “{name}” with…</source>
      <translation>为“{name}”建立关系</translation>
    </message>
    <message>
      <source>“{name}” and “{other}”</source>
      <translation>“{name}”和“{other}”</translation>
    </message>
    <message>
      <source>Name of the other one</source>
      <translation>另一个的名称</translation>
    </message>
    <message>
      <source>Kind</source>
      <translation>关系</translation>
    </message>
    <message>
      <source>What ties them</source>
      <translation>关系描述</translation>
    </message>
    <message>
      <source>What ties them, in a sentence (may stay empty)</source>
      <translation>用一句话描述它们的关系（可留空）</translation>
    </message>
    <message>
      <source>Kind (may stay empty)</source>
      <translation>关系种类（可留空）</translation>
    </message>
    <message>
      <source>Split “{name}”</source>
      <translation>拆分“{name}”</translation>
    </message>
    <message>
      <source>Only mentions whose sentence has…</source>
      <translation>只看句中含有…的提及</translation>
    </message>
    <message>
      <source>Leave at least one mention with the name as it is</source>
      <translation>至少给原名称留下一处提及</translation>
    </message>
    <message>
      <source>Tick the mentions that are somebody or something else of the same name. Later mentions follow by their document and by the names around them.</source>
      <translation>勾选指同名的另一个人或事物的提及。以后的提及会按所在文档和周围的名称归属。</translation>
    </message>
    <message>
      <source>The other one is called</source>
      <translation>另一个的名称</translation>
    </message>
    <message>
      <source>Split</source>
      <translation>拆分</translation>
    </message>
    <message numerus="yes">
      <source>In one sentence, {n} times</source>
      <translation>
        <numerusform>同句出现 {n} 次</numerusform>
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
      <source>{n} connections in common, {share} % of all</source>
      <translation>
        <numerusform>{n} 条共同关系，占全部的 {share}%</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} names</source>
      <translation>
        <numerusform>{n} 个名称</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Merge {n} names…</source>
      <translation>
        <numerusform>合并 {n} 个名称…</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Merged {n} names into “{name}”</source>
      <translation>
        <numerusform>已将 {n} 个名称合并为“{name}”</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Make {n} names one</source>
      <translation>
        <numerusform>将 {n} 个名称合并为一个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} connections folded, with all sentences: {names}</source>
      <translation>
        <numerusform>{n} 条关系连同全部句子合并：{names}</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} mentions of {total} ticked</source>
      <translation>
        <numerusform>已勾选 {n}/{total} 处提及</numerusform>
      </translation>
    </message>
  </context>
</TS>

<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>Remove area</source>
      <translation>移除区域</translation>
    </message>
    <message>
      <source>Remove bookmark</source>
      <translation>移除书签</translation>
    </message>
    <message>
      <source>Remove highlight</source>
      <translation>移除高亮</translation>
    </message>
    <message>
      <source>Done</source>
      <translation>完成</translation>
    </message>
    <message>
      <source>Close (Esc)</source>
      <translation>关闭 (Esc)</translation>
    </message>
    <message>
      <source>Tags</source>
      <translation>标签</translation>
    </message>
    <message>
      <source>Add tags, separated by commas</source>
      <translation>添加标签，用逗号分隔</translation>
    </message>
    <message>
      <source>Known tags</source>
      <translation>已有标签</translation>
    </message>
    <message>
      <source>{n} of {all}</source>
      <translation>{n} / {all}</translation>
    </message>
    <message>
      <source>Add to all</source>
      <translation>全部添加</translation>
    </message>
    <message>
      <source>Remove</source>
      <translation>移除</translation>
    </message>
    <message>
      <source>Keep</source>
      <translation>保留</translation>
    </message>
    <message>
      <source>Add the tag {tag} to all</source>
      <translation>为全部条目添加标签“{tag}”</translation>
    </message>
    <message>
      <source>Remove the tag {tag} from all</source>
      <translation>从全部条目移除标签“{tag}”</translation>
    </message>
    <message>
      <source>Keep the tag {tag}</source>
      <translation>保留标签“{tag}”</translation>
    </message>
    <message>
      <source>Add a note</source>
      <translation>添加笔记</translation>
    </message>
    <message>
      <source>Note</source>
      <translation>笔记</translation>
    </message>
    <message>
      <source>Ask about this</source>
      <translation>就此提问</translation>
    </message>
    <message>
      <source>Only some have:</source>
      <translation>仅部分条目有：</translation>
    </message>
    <message>
      <source>Copy with citation</source>
      <translation>复制并附引用</translation>
    </message>
    <message>
      <source>Copy picture</source>
      <translation>复制图片</translation>
    </message>
    <message>
      <source>New tag: {tag}</source>
      <translation>新标签：{tag}</translation>
    </message>
    <message>
      <source>No common connections</source>
      <translation>没有共同关系</translation>
    </message>
    <message>
      <source>{place}. {name}, {type}</source>
      <translation>{place}. {name}，{type}</translation>
    </message>
    <message>
      <source>Connections of {name}</source>
      <translation>{name}的关系</translation>
    </message>
    <message>
      <source>{name} and {other}</source>
      <translation>{name} 和 {other}</translation>
    </message>
    <message>
      <source>Never merge these</source>
      <translation>永不合并这些实体</translation>
    </message>
    <message>
      <source>Never merge these names automatically</source>
      <translation>永不自动合并这些实体</translation>
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
      <source>Only common connections</source>
      <translation>只看共同关系</translation>
    </message>
    <message>
      <source>{place}. {name}, {type}, connected to both</source>
      <translation>第 {place}：{name}，{type}，与两者都有关系</translation>
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
      <source>Also: {names}</source>
      <translation>又名：{names}</translation>
    </message>
    <message>
      <source>never in the same sentence</source>
      <translation>从未同句出现</translation>
    </message>
    <message>
      <source>Before all changes</source>
      <translation>所有更改之前</translation>
    </message>
    <message>
      <source>Made in another window or program</source>
      <translation>在另一个窗口或程序中做的</translation>
    </message>
    <message>
      <source>Newest first. Select a change to go back to it or forward again. Nothing is lost.</source>
      <translation>最新的更改在最前面。选择任意一项即可退回到该处，之后也可再前进，不会丢失任何内容。</translation>
    </message>
    <message>
      <source>Changes to this name, newest first. Going back undoes every later change in the library, including those to other names. Nothing is lost.</source>
      <translation>此实体的更改，最新的在前。回到某一项会撤销之后资料库中的所有更改，包括其他实体的更改。不会丢失任何内容。</translation>
    </message>
    <message>
      <source>Connect “{name}” with…</source>
      <translation>为“{name}”建立关系</translation>
    </message>
    <message>
      <source>Choose one, or type your own</source>
      <translation>选择一种，或自行填写</translation>
    </message>
    <message>
      <source>Name</source>
      <translation>名称</translation>
    </message>
    <message>
      <source>Show it</source>
      <translation>显示它</translation>
    </message>
    <message>
      <source>Description</source>
      <translation>描述</translation>
    </message>
    <message>
      <source>Restore from text</source>
      <translation>从原文恢复</translation>
    </message>
    <message>
      <source>other name</source>
      <translation>另一实体</translation>
    </message>
    <message>
      <source>Connection of “{name}” and “{other}”</source>
      <translation>“{name}”和“{other}”的关系</translation>
    </message>
    <message>
      <source>Find a name</source>
      <translation>查找实体</translation>
    </message>
    <message>
      <source>Type a part of a name.</source>
      <translation>输入名称的一部分。</translation>
    </message>
    <message>
      <source>Kind</source>
      <translation>关系类型</translation>
    </message>
    <message>
      <source>Kind (optional)</source>
      <translation>关系类型（可选）</translation>
    </message>
    <message>
      <source>Direction</source>
      <translation>方向</translation>
    </message>
    <message>
      <source>Reverse</source>
      <translation>反转</translation>
    </message>
    <message>
      <source>Description (optional)</source>
      <translation>描述（可选）</translation>
    </message>
    <message>
      <source>{choose}: {kinds}</source>
      <translation>{choose}：{kinds}</translation>
    </message>
    <message>
      <source>Split “{name}”</source>
      <translation>拆分“{name}”</translation>
    </message>
    <message>
      <source>Filter mentions</source>
      <translation>筛选提及</translation>
    </message>
    <message>
      <source>Mentions</source>
      <translation>提及</translation>
    </message>
    <message>
      <source>Name for the selected mentions</source>
      <translation>所选提及的名称</translation>
    </message>
    <message>
      <source>Leave at least one mention unselected</source>
      <translation>至少保留一处提及不选</translation>
    </message>
    <message>
      <source>Changes, newest first</source>
      <translation>更改，最新的在前</translation>
    </message>
    <message>
      <source>No changes yet.</source>
      <translation>还没有更改。</translation>
    </message>
    <message>
      <source>Go to this change</source>
      <translation>回到此更改</translation>
    </message>
    <message>
      <source>Type</source>
      <translation>类型</translation>
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
      <source>Exchange the start and the end of the arrow</source>
      <translation>对调箭头的起点和终点</translation>
    </message>
    <message>
      <source>Not connected yet</source>
      <translation>尚无关系的实体</translation>
    </message>
    <message>
      <source>{names} (no direction)</source>
      <translation>{names}（无方向）</translation>
    </message>
    <message>
      <source>Select the mentions of another person or thing with the same name. Later mentions are assigned by document and by neighbouring names.</source>
      <translation>请选出指另一个同名人物或事物的提及。之后的提及会按文档和邻近实体归入其中一个。</translation>
    </message>
    <message>
      <source>Split</source>
      <translation>拆分</translation>
    </message>
    <message>
      <source>No mention has this text.</source>
      <translation>没有提及包含这些文字。</translation>
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
      <source>Chosen name</source>
      <translation>已选实体</translation>
    </message>
    <message>
      <source>elsewhere</source>
      <translation>他处</translation>
    </message>
    <message>
      <source>Undone</source>
      <translation>已撤销</translation>
    </message>
    <message>
      <source>The last change was made in another window or program: {what}</source>
      <translation>最近的更改是在另一个窗口或程序中做的：{what}</translation>
    </message>
    <message>
      <source>What was undone last was made in another window or program: {what}</source>
      <translation>最近撤销的更改是在另一个窗口或程序中做的：{what}</translation>
    </message>
    <message>
      <source>Undo</source>
      <translation>撤销</translation>
    </message>
    <message>
      <source>Undone: {what}</source>
      <translation>已撤销：{what}</translation>
    </message>
    <message>
      <source>Redone: {what}</source>
      <translation>已重做：{what}</translation>
    </message>
    <message>
      <source>Redo</source>
      <translation>重做</translation>
    </message>
    <message>
      <source>Nothing to undo or redo.</source>
      <translation>没有可撤销或重做的操作。</translation>
    </message>
    <message>
      <source>Undo it</source>
      <translation>仍要撤销</translation>
    </message>
    <message>
      <source>Redo it</source>
      <translation>仍要重做</translation>
    </message>
    <message>
      <source>Write who or what this is. An empty field saves nothing.</source>
      <translation>写下这是谁或什么。留空则不保存。</translation>
    </message>
    <message>
      <source>Delete and ignore from now on</source>
      <translation>删除并从此忽略</translation>
    </message>
    <message>
      <source>The old name becomes an alias.</source>
      <translation>旧名称成为别名。</translation>
    </message>
    <message>
      <source>Alias of “{name}”</source>
      <translation>“{name}”的别名</translation>
    </message>
    <message>
      <source>Every occurrence, now and later, counts as this name.</source>
      <translation>现在和以后的每次出现都算作此实体。</translation>
    </message>
    <message>
      <source>“{name}” is a separate name again</source>
      <translation>“{name}”已恢复为独立实体</translation>
    </message>
    <message>
      <source>“{name}” and “{other}” are no longer connected</source>
      <translation>“{name}”和“{other}”不再有关系</translation>
    </message>
    <message>
      <source>Type of {names} changed to {type}</source>
      <translation>{names}的类型已改为{type}</translation>
    </message>
    <message>
      <source>Deleted and ignored: {names}</source>
      <translation>已删除并忽略：{names}</translation>
    </message>
    <message>
      <source>Deleted {names}</source>
      <translation>已删除{names}</translation>
    </message>
    <message>
      <source>Your own description. An empty field brings back the automatic one.</source>
      <translation>这是您写的描述。清空并保存，即恢复自动描述。</translation>
    </message>
    <message>
      <source>The automatic description. Your own replaces it; an empty field brings it back.</source>
      <translation>这是自动描述。您写的内容会取代它；清空并保存，即恢复自动描述。</translation>
    </message>
    <message>
      <source>No sentence defines this name. One that says something about it is proposed; an empty field saves nothing.</source>
      <translation>没有句子给出这个实体的定义。此处建议一句提到其身份的原文；留空则不保存任何内容。</translation>
    </message>
    <message>
      <source>Delete</source>
      <translation>删除</translation>
    </message>
    <message>
      <source>Rename</source>
      <translation>重命名</translation>
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
      <source>Alias “{name}” added</source>
      <translation>已添加别名“{name}”</translation>
    </message>
    <message>
      <source>Add</source>
      <translation>添加</translation>
    </message>
    <message>
      <source>“{name}” added</source>
      <translation>已添加“{name}”</translation>
    </message>
    <message>
      <source>Correct…</source>
      <translation>更正…</translation>
    </message>
    <message>
      <source>Change kind</source>
      <translation>更改事件类型</translation>
    </message>
    <message>
      <source>Add another event…</source>
      <translation>再添加一个事件…</translation>
    </message>
    <message>
      <source>Remove event</source>
      <translation>移除事件</translation>
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
      <source>Add alias…</source>
      <translation>添加别名…</translation>
    </message>
    <message>
      <source>Change type</source>
      <translation>更改类型</translation>
    </message>
    <message>
      <source>Merge with…</source>
      <translation>与其他实体合并…</translation>
    </message>
    <message>
      <source>Compare with…</source>
      <translation>与其他实体比较…</translation>
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
      <source>Description saved</source>
      <translation>已保存描述</translation>
    </message>
    <message>
      <source>Description restored from the text</source>
      <translation>已从原文恢复描述</translation>
    </message>
    <message>
      <source>“{name}” split from “{other}”</source>
      <translation>“{name}”已从“{other}”拆分</translation>
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
      <source>Event changed</source>
      <translation>事件已更改</translation>
    </message>
    <message>
      <source>Event removed</source>
      <translation>已移除事件</translation>
    </message>
    <message>
      <source>Compare “{name}” with…</source>
      <translation>将“{name}”与…比较</translation>
    </message>
    <message>
      <source>Compare</source>
      <translation>比较</translation>
    </message>
    <message>
      <source>Add name</source>
      <translation>添加实体</translation>
    </message>
    <message>
      <source>Event added</source>
      <translation>事件已添加</translation>
    </message>
    <message>
      <source>Add an event</source>
      <translation>添加事件</translation>
    </message>
    <message>
      <source>Correct this event</source>
      <translation>更正事件</translation>
    </message>
    <message>
      <source>Kind of event</source>
      <translation>事件类型</translation>
    </message>
    <message>
      <source>Choose a kind</source>
      <translation>选择事件类型</translation>
    </message>
    <message>
      <source>Names</source>
      <translation>实体</translation>
    </message>
    <message>
      <source>Find another name</source>
      <translation>查找其他实体</translation>
    </message>
    <message>
      <source>What “{name}” has to do with it</source>
      <translation>“{name}”在其中的角色</translation>
    </message>
    <message>
      <source>Choose who does it, or to whom it is done.</source>
      <translation>请选择行动者或承受者。</translation>
    </message>
    <message>
      <source>Choose what happens.</source>
      <translation>请选择发生了什么。</translation>
    </message>
    <message>
      <source>From the text</source>
      <translation>来自原文</translation>
    </message>
    <message>
      <source>Marked as never merge: {pairs}. Merging removes this mark.</source>
      <translation>已标记为永不合并：{pairs}。合并会取消此标记。</translation>
    </message>
    <message>
      <source>Merge</source>
      <translation>合并</translation>
    </message>
    <message>
      <source>Result</source>
      <translation>合并结果</translation>
    </message>
    <message>
      <source>Connections</source>
      <translation>关系</translation>
    </message>
    <message>
      <source>Duplicate connections</source>
      <translation>重复的关系</translation>
    </message>
    <message>
      <source>Self-connections, removed</source>
      <translation>将移除的自身关系</translation>
    </message>
    <message>
      <source>No name has “{text}” in it.</source>
      <translation>没有名称中含有“{text}”的实体。</translation>
    </message>
    <message>
      <source>Type a part of another name, such as {names}.</source>
      <translation>请输入其他名称的一部分，例如{names}。</translation>
    </message>
    <message>
      <source>“{name}” ({type})</source>
      <translation>“{name}”（{type}）</translation>
    </message>
    <message>
      <source>Select one.</source>
      <translation>请选择一个。</translation>
    </message>
    <message>
      <source>Select one or more.</source>
      <translation>请选择一个或多个。</translation>
    </message>
    <message>
      <source>Names found</source>
      <translation>找到的实体</translation>
    </message>
    <message>
      <source>Find names to merge</source>
      <translation>查找要合并的实体</translation>
    </message>
    <message>
      <source>Type a part of another name.</source>
      <translation>请输入其他名称的一部分。</translation>
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
      <source>Preview…</source>
      <translation>预览…</translation>
    </message>
    <message numerus="yes">
      <source>Tags of {n} entries</source>
      <translation>
        <numerusform>{n} 条的标签</numerusform>
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
      <source>In the same sentence {n} times</source>
      <translation>
        <numerusform>同句出现 {n} 次</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} common connections, {share}% of all</source>
      <translation>
        <numerusform>{n} 条共同关系，占全部的 {share}%</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>This name has {n} characters, and at most {most} are possible. Use a shorter one.</source>
      <translation>
        <numerusform>这个名称有 {n} 个字符，最多 {most} 个。请换一个较短的名称。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} names found</source>
      <translation>
        <numerusform>找到 {n} 个实体</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} of {total} mentions selected</source>
      <translation>
        <numerusform>已选 {n} 处提及，共 {total} 处</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} names will not be merged</source>
      <translation>
        <numerusform>{n} 个实体不会合并</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} names</source>
      <translation>
        <numerusform>{n} 个实体</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Merge {n} names…</source>
      <translation>
        <numerusform>合并 {n} 个实体…</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Merged {n} names into “{name}”</source>
      <translation>
        <numerusform>已将 {n} 个实体合并为“{name}”</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Merge {n} names</source>
      <translation>
        <numerusform>合并 {n} 个实体</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} duplicate connections combined: {names}</source>
      <translation>
        <numerusform>将合并 {n} 条重复关系：{names}</numerusform>
      </translation>
    </message>
  </context>
</TS>

<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>Backups and libraries (*.backup *.inkgraph);;All files (*)</source>
      <translation>备份和资料库 (*.backup *.inkgraph);;所有文件 (*)</translation>
    </message>
    <message>
      <source>automatic</source>
      <translation>自动</translation>
    </message>
    <message>
      <source>before an upgrade</source>
      <translation>升级前</translation>
    </message>
    <message>
      <source>before a check</source>
      <translation>检查前</translation>
    </message>
    <message>
      <source>by hand</source>
      <translation>手动</translation>
    </message>
    <message>
      <source>{what} {hint}</source>
      <translation>{what}{hint}</translation>
    </message>
    <message>
      <source>There are no backups of this library. You can choose a file.</source>
      <translation>此资料库没有备份。您可以选择一个文件。</translation>
    </message>
    <message>
      <source>“{name}” is replaced by the backup. The current file is kept under another name.</source>
      <translation>“{name}”将恢复为备份中的状态。当前文件会以另一个名称保留。</translation>
    </message>
    <message>
      <source>Restore a backup, or recover what can be read into a new library. The damaged file is kept in both cases.</source>
      <translation>请恢复备份，或将仍可读取的内容抢救到新资料库。两种方式都会保留损坏的文件。</translation>
    </message>
    <message>
      <source>{documents} and {corrections} were saved in “{name}”.</source>
      <translation>已将{documents}和{corrections}保存到“{name}”。</translation>
    </message>
    <message>
      <source>“{name}” can't be opened</source>
      <translation>无法打开“{name}”</translation>
    </message>
    <message>
      <source>Restore a backup</source>
      <translation>恢复备份</translation>
    </message>
    <message>
      <source>Backups</source>
      <translation>备份</translation>
    </message>
    <message>
      <source>Looking for backups…</source>
      <translation>正在查找备份…</translation>
    </message>
    <message>
      <source>Restore this backup</source>
      <translation>恢复此备份</translation>
    </message>
    <message>
      <source>Choose a backup file…</source>
      <translation>选择备份文件…</translation>
    </message>
    <message>
      <source>Recover what can be read</source>
      <translation>抢救可读内容</translation>
    </message>
    <message>
      <source>Saves it in a new library; the damaged file is not changed</source>
      <translation>保存到新的资料库；不改动损坏的文件</translation>
    </message>
    <message>
      <source>Try again</source>
      <translation>再试一次</translation>
    </message>
    <message>
      <source>New library</source>
      <translation>新建资料库</translation>
    </message>
    <message>
      <source>Another library…</source>
      <translation>其他资料库…</translation>
    </message>
    <message>
      <source>Open the recovered library</source>
      <translation>打开抢救出的资料库</translation>
    </message>
    <message>
      <source>Choose a backup</source>
      <translation>选择备份</translation>
    </message>
    <message>
      <source>Restoring…</source>
      <translation>正在恢复…</translation>
    </message>
    <message>
      <source>Recovering…</source>
      <translation>正在抢救…</translation>
    </message>
    <message>
      <source>Backup</source>
      <translation>备份</translation>
    </message>
    <message>
      <source>Documents</source>
      <translation>文档</translation>
    </message>
    <message>
      <source>Size</source>
      <translation>大小</translation>
    </message>
    <message>
      <source>Origin</source>
      <translation>来源</translation>
    </message>
    <message>
      <source>Quit</source>
      <translation>退出</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>It is still not there.</source>
      <translation>它仍然不在那里。</translation>
    </message>
    <message>
      <source>can't be read</source>
      <translation>无法读取</translation>
    </message>
    <message numerus="yes">
      <source>{n} are read again from their files.</source>
      <translation>
        <numerusform>{n} 个文档将从其文件重新读取。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} have their text, but no file.</source>
      <translation>
        <numerusform>{n} 个文档保留了文本，但没有文件。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} have gaps in their texts.</source>
      <translation>
        <numerusform>{n} 个文档的文本有缺失。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} are lost: {titles}.</source>
      <translation>
        <numerusform>{n} 个文档已丢失：{titles}。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} backups</source>
      <translation>
        <numerusform>{n} 个备份</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} documents</source>
      <translation>
        <numerusform>{n} 个文档</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} corrections</source>
      <translation>
        <numerusform>{n} 项更正</numerusform>
      </translation>
    </message>
  </context>
</TS>

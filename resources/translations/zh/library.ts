<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>Documents</source>
      <translation>文档</translation>
    </message>
    <message>
      <source>Verifying checksums…</source>
      <translation>正在验证校验和…</translation>
    </message>
    <message>
      <source>Checking the structure of the file…</source>
      <translation>正在检查文件结构…</translation>
    </message>
    <message>
      <source>Comparing documents…</source>
      <translation>正在比对文档…</translation>
    </message>
    <message>
      <source>Comparing the trash…</source>
      <translation>正在比对回收站…</translation>
    </message>
    <message>
      <source>Reading corrections…</source>
      <translation>正在读取更正…</translation>
    </message>
    <message>
      <source>Reading chats…</source>
      <translation>正在读取对话…</translation>
    </message>
    <message>
      <source>Comparing the graph…</source>
      <translation>正在比对图谱…</translation>
    </message>
    <message>
      <source>Checking the word index…</source>
      <translation>正在检查字词索引…</translation>
    </message>
    <message>
      <source>Checking the vectors…</source>
      <translation>正在检查向量…</translation>
    </message>
    <message>
      <source>Check the library</source>
      <translation>检查资料库</translation>
    </message>
    <message>
      <source>Checking…</source>
      <translation>正在检查…</translation>
    </message>
    <message>
      <source>Rebuild</source>
      <translation>重新生成</translation>
    </message>
    <message>
      <source>Rebuild the graph and the search indexes</source>
      <translation>重新生成图谱和搜索索引</translation>
    </message>
    <message>
      <source>Restore a backup…</source>
      <translation>恢复备份…</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Copy</source>
      <translation>复制</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>Add the pasted text</source>
      <translation>添加粘贴的文本</translation>
    </message>
    <message>
      <source>Title</source>
      <translation>标题</translation>
    </message>
    <message>
      <source>The text</source>
      <translation>正文</translation>
    </message>
    <message>
      <source>The text: {n_chars}</source>
      <translation>文字：{n_chars}</translation>
    </message>
    <message>
      <source>Add</source>
      <translation>添加</translation>
    </message>
    <message>
      <source>There are no files and no text on the clipboard.</source>
      <translation>剪贴板中没有文件，也没有文本。</translation>
    </message>
    <message>
      <source>Documents in the trash</source>
      <translation>回收站中的文档</translation>
    </message>
    <message>
      <source>Restore</source>
      <translation>恢复</translation>
    </message>
    <message>
      <source>Delete permanently</source>
      <translation>永久删除</translation>
    </message>
    <message>
      <source>The trash is empty</source>
      <translation>回收站是空的</translation>
    </message>
    <message>
      <source>Deleted documents are kept here until they are removed.</source>
      <translation>删除的文档会保留在这里，直到永久删除。</translation>
    </message>
    <message>
      <source>No matching documents</source>
      <translation>没有匹配的文档</translation>
    </message>
    <message>
      <source>No document in the trash has these words in its title or file name.</source>
      <translation>回收站中没有标题或文件名含有这些词的文档。</translation>
    </message>
    <message>
      <source>{file}, {size}, deleted {when}</source>
      <translation>{file}，{size}，删除于 {when}</translation>
    </message>
    <message>
      <source>New collection</source>
      <translation>新建合集</translation>
    </message>
    <message>
      <source>Name</source>
      <translation>名称</translation>
    </message>
    <message>
      <source>Create</source>
      <translation>创建</translation>
    </message>
    <message>
      <source>Rename tag</source>
      <translation>重命名标签</translation>
    </message>
    <message>
      <source>Tag</source>
      <translation>标签</translation>
    </message>
    <message>
      <source>Rename</source>
      <translation>重命名</translation>
    </message>
    <message>
      <source>New tag</source>
      <translation>新建标签</translation>
    </message>
    <message>
      <source>Rename collection</source>
      <translation>重命名合集</translation>
    </message>
    <message>
      <source>Details…</source>
      <translation>详细信息…</translation>
    </message>
    <message>
      <source>Remove from “{name}”</source>
      <translation>从“{name}”移除</translation>
    </message>
    <message>
      <source>New collection…</source>
      <translation>新建合集…</translation>
    </message>
    <message>
      <source>New tag…</source>
      <translation>新建标签…</translation>
    </message>
    <message>
      <source>{what} moved to the trash</source>
      <translation>{what}已移到回收站</translation>
    </message>
    <message>
      <source>Delete</source>
      <translation>删除</translation>
    </message>
    <message>
      <source>Collection “{name}” deleted; its documents stay</source>
      <translation>已删除合集“{name}”；其中的文档会保留</translation>
    </message>
    <message>
      <source>Add to collection</source>
      <translation>添加到合集</translation>
    </message>
    <message>
      <source>Tags</source>
      <translation>标签</translation>
    </message>
    <message>
      <source>Rename…</source>
      <translation>重命名…</translation>
    </message>
    <message>
      <source>Delete collection</source>
      <translation>删除合集</translation>
    </message>
    <message>
      <source>Retry all failed ({n})</source>
      <translation>重试全部失败项（{n}）</translation>
    </message>
    <message>
      <source>Restore these</source>
      <translation>恢复这些</translation>
    </message>
    <message>
      <source>Delete these permanently</source>
      <translation>永久删除这些</translation>
    </message>
    <message>
      <source>Restore all</source>
      <translation>全部恢复</translation>
    </message>
    <message>
      <source>Empty Trash</source>
      <translation>清空回收站</translation>
    </message>
    <message>
      <source>Remove tag from all documents</source>
      <translation>从所有文档移除标签</translation>
    </message>
    <message>
      <source>This is not a DOI. A DOI begins with “10.”; see the first page or the web page.</source>
      <translation>这不是 DOI。DOI 以“10.”开头，见首页或网页。</translation>
    </message>
    <message>
      <source>This is not a valid ISBN. Compare its 10 or 13 digits with the book.</source>
      <translation>ISBN 无效。请与书上的 10 位或 13 位数字核对。</translation>
    </message>
    <message>
      <source>Several with semicolons: Ada Voss; Ben Lowe</source>
      <translation>多位作者用分号隔开：鲁迅；茅盾</translation>
    </message>
    <message>
      <source>10 or 13 digits</source>
      <translation>10 位或 13 位数字</translation>
    </message>
    <message>
      <source>Journal or book</source>
      <translation>期刊或书籍</translation>
    </message>
    <message>
      <source>Separated by commas</source>
      <translation>用逗号分隔</translation>
    </message>
    <message>
      <source>Source or purpose</source>
      <translation>来源或用途</translation>
    </message>
    <message>
      <source>Author</source>
      <translation>作者</translation>
    </message>
    <message>
      <source>Year</source>
      <translation>年份</translation>
    </message>
    <message>
      <source>Language</source>
      <translation>语言</translation>
    </message>
    <message>
      <source>Published in</source>
      <translation>发表于</translation>
    </message>
    <message>
      <source>Volume</source>
      <translation>卷</translation>
    </message>
    <message>
      <source>Issue</source>
      <translation>期</translation>
    </message>
    <message>
      <source>Page range</source>
      <translation>页码</translation>
    </message>
    <message>
      <source>Publisher</source>
      <translation>出版社</translation>
    </message>
    <message>
      <source>DOI</source>
      <translation>DOI</translation>
    </message>
    <message>
      <source>ISBN</source>
      <translation>ISBN</translation>
    </message>
    <message>
      <source>Note</source>
      <translation>笔记</translation>
    </message>
    <message>
      <source>File name</source>
      <translation>文件名</translation>
    </message>
    <message>
      <source>Details</source>
      <translation>详细信息</translation>
    </message>
    <message>
      <source>Your details are kept when the file is read again.</source>
      <translation>重新读取文件时会保留您填写的信息。</translation>
    </message>
    <message>
      <source>Save</source>
      <translation>保存</translation>
    </message>
    <message>
      <source>Details changed</source>
      <translation>已修改详细信息</translation>
    </message>
    <message>
      <source>(unchanged)</source>
      <translation>（不变）</translation>
    </message>
    <message>
      <source>New and changed files in these folders are added automatically while Inkgraph is open. If you delete a file there, you are notified and its document is kept.</source>
      <translation>Inkgraph 打开时，会自动添加这些文件夹中新增和更改的文件。如果您在其中删除文件，会收到通知，其文档仍保留。</translation>
    </message>
    <message>
      <source>This library was made by an older version of Inkgraph and names these folders to be watched. If the library is from another person, so are the folders. Nothing is read in a folder that is not chosen here.</source>
      <translation>此资料库由旧版 Inkgraph 创建，其中指定了要监视的文件夹。如果资料库来自他人，这些文件夹也是他人指定的。未在此选中的文件夹不会被读取。</translation>
    </message>
    <message>
      <source>{one} and {other}</source>
      <translation>{one}和{other}</translation>
    </message>
    <message>
      <source>This library</source>
      <translation>此资料库</translation>
    </message>
    <message>
      <source>Show in its folder</source>
      <translation>在文件夹中显示</translation>
    </message>
    <message>
      <source>Compact</source>
      <translation>压缩整理</translation>
    </message>
    <message>
      <source>Check</source>
      <translation>检查</translation>
    </message>
    <message>
      <source>Remove previous versions</source>
      <translation>删除旧版本</translation>
    </message>
    <message>
      <source>Open a copy…</source>
      <translation>打开副本…</translation>
    </message>
    <message>
      <source>Save a copy…</source>
      <translation>保存副本…</translation>
    </message>
    <message>
      <source>Save a copy elsewhere, or open one as a new library</source>
      <translation>把副本保存到别处，或将副本作为新资料库打开</translation>
    </message>
    <message>
      <source>Find damage of the library</source>
      <translation>查找资料库的损坏</translation>
    </message>
    <message>
      <source>Free the disk space of deleted data</source>
      <translation>释放已删除数据占用的磁盘空间</translation>
    </message>
    <message>
      <source>Changed files can't be restored after that; “Compact” then frees the disk space</source>
      <translation>此后无法恢复已更改的文件；之后用“压缩整理”释放磁盘空间</translation>
    </message>
    <message>
      <source>Decrypt…</source>
      <translation>解密…</translation>
    </message>
    <message>
      <source>The library and its backups are encrypted; exported files are not.</source>
      <translation>资料库及其备份已加密；导出的文件未加密。</translation>
    </message>
    <message>
      <source>The file is not encrypted.</source>
      <translation>文件未加密。</translation>
    </message>
    <message>
      <source>Open a backup</source>
      <translation>打开备份</translation>
    </message>
    <message>
      <source>Inkgraph libraries</source>
      <translation>Inkgraph 资料库</translation>
    </message>
    <message>
      <source>Watched folders</source>
      <translation>监视文件夹</translation>
    </message>
    <message>
      <source>No folder is watched.</source>
      <translation>没有监视任何文件夹。</translation>
    </message>
    <message>
      <source>Stop watching</source>
      <translation>停止监视</translation>
    </message>
    <message>
      <source>Watch a folder…</source>
      <translation>监视一个文件夹…</translation>
    </message>
    <message>
      <source>Done</source>
      <translation>完成</translation>
    </message>
    <message>
      <source>Watch these folders?</source>
      <translation>要监视这些文件夹吗？</translation>
    </message>
    <message>
      <source>Folders that the library names</source>
      <translation>资料库指定的文件夹</translation>
    </message>
    <message>
      <source>Watch the chosen folders</source>
      <translation>监视选中的文件夹</translation>
    </message>
    <message>
      <source>Don't watch</source>
      <translation>不监视</translation>
    </message>
    <message>
      <source>Delete “{title}” from the library? The file on disk stays.</source>
      <translation>要从资料库中删除“{title}”吗？磁盘上的文件会保留。</translation>
    </message>
    <message>
      <source>Copies</source>
      <translation>副本</translation>
    </message>
    <message>
      <source>Maintenance</source>
      <translation>维护</translation>
    </message>
    <message>
      <source>Change passphrase…</source>
      <translation>更改密码…</translation>
    </message>
    <message>
      <source>Encrypt…</source>
      <translation>加密…</translation>
    </message>
    <message>
      <source>Back up the library</source>
      <translation>备份资料库</translation>
    </message>
    <message>
      <source>Where to keep it</source>
      <translation>保存位置</translation>
    </message>
    <message>
      <source>Watch a folder</source>
      <translation>监视一个文件夹</translation>
    </message>
    <message>
      <source>Copy the list</source>
      <translation>复制列表</translation>
    </message>
    <message>
      <source>Delete “{title}” from the library? {goes} goes with it; the file on disk stays.</source>
      <translation>要从资料库中删除“{title}”吗？{goes}会随之删除；磁盘上的文件会保留。</translation>
    </message>
    <message>
      <source>Delete “{title}” from the library? {goes} go with it; the file on disk stays.</source>
      <translation>要从资料库中删除“{title}”吗？{goes}会随之删除；磁盘上的文件会保留。</translation>
    </message>
    <message>
      <source>File</source>
      <translation>文件</translation>
    </message>
    <message>
      <source>Size</source>
      <translation>大小</translation>
    </message>
    <message>
      <source>Names</source>
      <translation>实体</translation>
    </message>
    <message>
      <source>Passages</source>
      <translation>段落</translation>
    </message>
    <message>
      <source>Chats</source>
      <translation>对话</translation>
    </message>
    <message>
      <source>Previous versions</source>
      <translation>旧版本</translation>
    </message>
    <message>
      <source>{name} backup</source>
      <translation>{name} 备份</translation>
    </message>
    <message>
      <source>{name} restored</source>
      <translation>{name} 已恢复</translation>
    </message>
    <message>
      <source>Drop files or folders here to add them</source>
      <translation>把文件或文件夹拖到这里即可添加</translation>
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
      <source>Highlights</source>
      <translation>高亮</translation>
    </message>
    <message>
      <source>Waiting</source>
      <translation>等待中</translation>
    </message>
    <message>
      <source>Not read</source>
      <translation>未能读取</translation>
    </message>
    <message>
      <source>Last added</source>
      <translation>最近添加</translation>
    </message>
    <message>
      <source>Size on disk</source>
      <translation>占用空间</translation>
    </message>
    <message>
      <source>{n} of {total} documents</source>
      <translation>{n} / {total} 个文档</translation>
    </message>
    <message>
      <source>Forgotten? Then this file can't be opened any more. A backup from before it was encrypted needs no passphrase.</source>
      <translation>忘记密码后，此文件无法再打开。加密之前的备份不需要密码。</translation>
    </message>
    <message>
      <source>Backups made before keep the former passphrase.</source>
      <translation>以前的备份仍使用原密码。</translation>
    </message>
    <message>
      <source>Folder of the library</source>
      <translation>资料库所在文件夹</translation>
    </message>
    <message>
      <source>“{name}” is encrypted</source>
      <translation>“{name}”已加密</translation>
    </message>
    <message>
      <source>Passphrase</source>
      <translation>密码</translation>
    </message>
    <message>
      <source>Show passphrase</source>
      <translation>显示密码</translation>
    </message>
    <message>
      <source>Restore or recover…</source>
      <translation>恢复或抢救…</translation>
    </message>
    <message>
      <source>Change the passphrase of “{name}”</source>
      <translation>更改“{name}”的密码</translation>
    </message>
    <message>
      <source>Encrypt “{name}”</source>
      <translation>加密“{name}”</translation>
    </message>
    <message>
      <source>Decrypt “{name}”</source>
      <translation>解密“{name}”</translation>
    </message>
    <message>
      <source>New library</source>
      <translation>新建资料库</translation>
    </message>
    <message>
      <source>Name of the library</source>
      <translation>资料库名称</translation>
    </message>
    <message>
      <source>Choose folder…</source>
      <translation>选择文件夹…</translation>
    </message>
    <message>
      <source>Location</source>
      <translation>位置</translation>
    </message>
    <message>
      <source>The library is written again and compared. It opens when this is done.</source>
      <translation>正在重新写入并核对资料库。完成后会自动打开。</translation>
    </message>
    <message>
      <source>Enter its passphrase to open it.</source>
      <translation>输入密码以打开。</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>打开</translation>
    </message>
    <message>
      <source>Another library…</source>
      <translation>其他资料库…</translation>
    </message>
    <message>
      <source>Change</source>
      <translation>更改</translation>
    </message>
    <message>
      <source>Encrypt</source>
      <translation>加密</translation>
    </message>
    <message>
      <source>Anyone who has the file can then read it without a passphrase.</source>
      <translation>解密后，任何得到此文件的人都能直接读取。</translation>
    </message>
    <message>
      <source>Its backups stay encrypted.</source>
      <translation>它的备份仍保持加密。</translation>
    </message>
    <message>
      <source>Decrypt</source>
      <translation>解密</translation>
    </message>
    <message>
      <source>A library with this name already exists.</source>
      <translation>已有同名的资料库。</translation>
    </message>
    <message>
      <source>Copies without encryption</source>
      <translation>未加密的副本</translation>
    </message>
    <message>
      <source>Neo4j: files for its importer</source>
      <translation>Neo4j：供导入工具使用的文件</translation>
    </message>
    <message>
      <source>A folder of CSV files, of which neo4j-admin makes a new database.</source>
      <translation>一个 CSV 文件夹，neo4j-admin 用它建立新的数据库。</translation>
    </message>
    <message>
      <source>Neo4j: Cypher script</source>
      <translation>Neo4j：Cypher 脚本</translation>
    </message>
    <message>
      <source>One file for cypher-shell, which adds everything to a running server.</source>
      <translation>一个文件，cypher-shell 用它把全部内容加入正在运行的服务器。</translation>
    </message>
    <message>
      <source>PostgreSQL</source>
      <translation>PostgreSQL</translation>
    </message>
    <message>
      <source>One SQL script for psql, with tables in a schema of their own.</source>
      <translation>一个供 psql 使用的 SQL 脚本，数据表放在单独的 schema 中。</translation>
    </message>
    <message>
      <source>DuckDB and Parquet</source>
      <translation>DuckDB 和 Parquet</translation>
    </message>
    <message>
      <source>A folder that DuckDB imports, and whose tables pandas or R read directly.</source>
      <translation>一个可由 DuckDB 导入的文件夹，pandas 或 R 也能直接读取其中的表。</translation>
    </message>
    <message>
      <source>RDF (Turtle)</source>
      <translation>RDF (Turtle)</translation>
    </message>
    <message>
      <source>Linked data in the terms of schema.org, with the sentence that says each fact.</source>
      <translation>采用 schema.org 术语的关联数据，每个事实都附有说明它的句子。</translation>
    </message>
    <message>
      <source>networkx (JSON)</source>
      <translation>networkx (JSON)</translation>
    </message>
    <message>
      <source>One file for Python: names are nodes, connections are edges.</source>
      <translation>一个供 Python 使用的文件：实体是节点，关系是边。</translation>
    </message>
    <message>
      <source>Names, connections, documents and communities, with the sentences behind them.</source>
      <translation>实体、关系、文档和社群，以及作为依据的句子。</translation>
    </message>
    <message>
      <source>Export the library</source>
      <translation>导出资料库</translation>
    </message>
    <message>
      <source>Export…</source>
      <translation>导出…</translation>
    </message>
    <message>
      <source>Exported files are not encrypted.</source>
      <translation>导出的文件不加密。</translation>
    </message>
    <message>
      <source>Text and names are extracted again. Your corrections, highlights and details are kept.</source>
      <translation>将重新提取文本和实体。您的更正、高亮和信息会保留。</translation>
    </message>
    <message>
      <source>Enter the separator between passages.</source>
      <translation>请输入段落分隔符。</translation>
    </message>
    <message>
      <source>Same as for new documents</source>
      <translation>与新文档相同</translation>
    </message>
    <message>
      <source>Index again</source>
      <translation>重新建立索引</translation>
    </message>
    <message>
      <source>These documents are split in different ways. Afterwards, all are split in the same way.</source>
      <translation>这些文档目前的切分方式不同；之后将统一切分。</translation>
    </message>
    <message>
      <source>Passage {n}</source>
      <translation>段落 {n}</translation>
    </message>
    <message>
      <source>{n} of {all}</source>
      <translation>{n} / {all}</translation>
    </message>
    <message>
      <source>Enrich…</source>
      <translation>深度提取…</translation>
    </message>
    <message>
      <source>Enrich now</source>
      <translation>立即深度提取</translation>
    </message>
    <message>
      <source>Stop</source>
      <translation>停止</translation>
    </message>
    <message>
      <source>Failed passages</source>
      <translation>失败的段落</translation>
    </message>
    <message>
      <source>Retry failed passages</source>
      <translation>重试失败的段落</translation>
    </message>
    <message>
      <source>Open {name}</source>
      <translation>打开“{name}”</translation>
    </message>
    <message>
      <source>Read again</source>
      <translation>重新读取</translation>
    </message>
    <message>
      <source>Use the new version</source>
      <translation>使用新版本</translation>
    </message>
    <message>
      <source>Keep the old text</source>
      <translation>保留旧文本</translation>
    </message>
    <message>
      <source>Restore the previous version</source>
      <translation>恢复上一个版本</translation>
    </message>
    <message>
      <source>Top names</source>
      <translation>主要实体</translation>
    </message>
    <message>
      <source>Show names</source>
      <translation>显示实体</translation>
    </message>
    <message>
      <source>Retry</source>
      <translation>重试</translation>
    </message>
    <message>
      <source>Index next</source>
      <translation>优先索引</translation>
    </message>
    <message>
      <source>Read next</source>
      <translation>优先识别</translation>
    </message>
    <message>
      <source>Don't read the rest</source>
      <translation>不再识别其余页</translation>
    </message>
    <message>
      <source>Read the other pages</source>
      <translation>识别其余页面</translation>
    </message>
    <message>
      <source>Password of this document</source>
      <translation>此文档的密码</translation>
    </message>
    <message>
      <source>Notices</source>
      <translation>提示</translation>
    </message>
    <message>
      <source>Authors</source>
      <translation>作者</translation>
    </message>
    <message>
      <source>Collections</source>
      <translation>合集</translation>
    </message>
    <message>
      <source>Pages</source>
      <translation>页数</translation>
    </message>
    <message>
      <source>Read as pictures</source>
      <translation>按图片识别</translation>
    </message>
    <message>
      <source>Length</source>
      <translation>长度</translation>
    </message>
    <message>
      <source>Added</source>
      <translation>添加时间</translation>
    </message>
    <message>
      <source>Changed</source>
      <translation>更改时间</translation>
    </message>
    <message>
      <source>Previous version</source>
      <translation>上一个版本</translation>
    </message>
    <message>
      <source>Moves it to the front of the queue</source>
      <translation>移到队列最前</translation>
    </message>
    <message>
      <source>Finished passages are kept</source>
      <translation>已完成的段落会保留</translation>
    </message>
    <message>
      <source>Enrichment</source>
      <translation>深度提取</translation>
    </message>
    <message>
      <source>Ends this notice</source>
      <translation>不再显示此提示</translation>
    </message>
    <message>
      <source>The file of {date} ({size}); the present one is kept in its place</source>
      <translation>{date} 的文件（{size}）；当前文件将作为上一个版本保留</translation>
    </message>
    <message>
      <source>Continue reading</source>
      <translation>继续阅读</translation>
    </message>
    <message>
      <source>Show the original</source>
      <translation>显示原文档</translation>
    </message>
    <message>
      <source>What was indexed is kept</source>
      <translation>已索引的内容会保留</translation>
    </message>
    <message>
      <source>Reads its pages before those of other documents</source>
      <translation>先于其他文档识别它的页面</translation>
    </message>
    <message>
      <source>Pages that were read stay</source>
      <translation>已识别的页面会保留</translation>
    </message>
    <message>
      <source>Select a document to see its details.</source>
      <translation>选择一个文档以查看其详细信息。</translation>
    </message>
    <message>
      <source>Resume</source>
      <translation>继续</translation>
    </message>
    <message>
      <source>Same as “{title}”</source>
      <translation>内容同“{title}”</translation>
    </message>
    <message>
      <source>, </source>
      <translation>、</translation>
    </message>
    <message>
      <source>Not read yet</source>
      <translation>尚未阅读</translation>
    </message>
    <message>
      <source>Being read</source>
      <translation>正在阅读</translation>
    </message>
    <message>
      <source>Finished</source>
      <translation>已读完</translation>
    </message>
    <message>
      <source>Enriched</source>
      <translation>深度提取</translation>
    </message>
    <message>
      <source>Not enriched</source>
      <translation>未深度提取</translation>
    </message>
    <message>
      <source>Type of file</source>
      <translation>文件类型</translation>
    </message>
    <message>
      <source>Reading progress</source>
      <translation>阅读进度</translation>
    </message>
    <message>
      <source>Clear filter</source>
      <translation>清除筛选</translation>
    </message>
    <message>
      <source>All documents have the same values</source>
      <translation>所有文档的各项都相同</translation>
    </message>
    <message>
      <source>Two windows on one library share its history: each asks before it undoes a change of the other, and shows what the other changed a few seconds later.</source>
      <translation>两个窗口打开同一个资料库时共用一份历史记录：撤销另一个窗口的更改之前会先询问，另一个窗口的更改几秒后会显示出来。</translation>
    </message>
    <message>
      <source>“{name}” is open in another window</source>
      <translation>“{name}”已在另一个窗口中打开</translation>
    </message>
    <message>
      <source>Open anyway</source>
      <translation>仍要打开</translation>
    </message>
    <message>
      <source>Show that window</source>
      <translation>显示那个窗口</translation>
    </message>
    <message>
      <source>All documents</source>
      <translation>全部文档</translation>
    </message>
    <message>
      <source>Trash</source>
      <translation>回收站</translation>
    </message>
    <message>
      <source>Collections and tags</source>
      <translation>合集与标签</translation>
    </message>
    <message>
      <source>Rename the selected collection or tag</source>
      <translation>重命名所选的合集或标签</translation>
    </message>
    <message>
      <source>Delete the selected collection or tag</source>
      <translation>删除所选的合集或标签</translation>
    </message>
    <message>
      <source>Show all documents</source>
      <translation>显示全部文档</translation>
    </message>
    <message>
      <source>Failed</source>
      <translation>失败</translation>
    </message>
    <message>
      <source>Excluded</source>
      <translation>已排除</translation>
    </message>
    <message>
      <source>BibTeX</source>
      <translation>BibTeX</translation>
    </message>
    <message>
      <source>RIS (EndNote, Zotero)</source>
      <translation>RIS（EndNote、Zotero）</translation>
    </message>
    <message>
      <source>CSL-JSON</source>
      <translation>CSL-JSON</translation>
    </message>
    <message>
      <source>Copy reference</source>
      <translation>复制参考文献</translation>
    </message>
    <message>
      <source>Export reference</source>
      <translation>导出参考文献</translation>
    </message>
    <message>
      <source>References</source>
      <translation>参考文献</translation>
    </message>
    <message>
      <source>Author, title, year</source>
      <translation>作者、标题、年份</translation>
    </message>
    <message>
      <source>{format}…</source>
      <translation>{format}…</translation>
    </message>
    <message>
      <source>Books, office files, web pages or plain text, in English or 中文. Scans, photographs, tables, letters, archives and a Zotero library can be added, too. Inkgraph reads them on this computer and shows who and what is in them.</source>
      <translation>支持图书、办公文档、网页和纯文本，中文或英文均可。扫描件、照片、表格、电子邮件、压缩包和 Zotero 文献库也可以添加。Inkgraph 在本机读取，并展示其中的人物与事物。</translation>
    </message>
    <message>
      <source>Drop a book here</source>
      <translation>把书拖到这里</translation>
    </message>
    <message>
      <source>The library can't be shown</source>
      <translation>无法显示资料库</translation>
    </message>
    <message>
      <source>Try the demo library</source>
      <translation>试用示例资料库</translation>
    </message>
    <message>
      <source>Add files…</source>
      <translation>添加文件…</translation>
    </message>
    <message>
      <source>Find a quotation…</source>
      <translation>查找引文…</translation>
    </message>
    <message>
      <source>Try again</source>
      <translation>再试一次</translation>
    </message>
    <message>
      <source>Copied.</source>
      <translation>已复制。</translation>
    </message>
    <message>
      <source>Paste from clipboard</source>
      <translation>从剪贴板粘贴</translation>
    </message>
    <message>
      <source>Add files</source>
      <translation>添加文件</translation>
    </message>
    <message>
      <source>Move to Trash</source>
      <translation>移到回收站</translation>
    </message>
    <message>
      <source>Delete permanently…</source>
      <translation>永久删除…</translation>
    </message>
    <message>
      <source>Import a graph</source>
      <translation>导入图谱</translation>
    </message>
    <message>
      <source>Folder of LightRAG or GraphRAG…</source>
      <translation>LightRAG 或 GraphRAG 文件夹…</translation>
    </message>
    <message>
      <source>JSON or GraphML file…</source>
      <translation>JSON 或 GraphML 文件…</translation>
    </message>
    <message>
      <source>Watched folders…</source>
      <translation>监视文件夹…</translation>
    </message>
    <message>
      <source>Add the demo documents</source>
      <translation>添加示例文档</translation>
    </message>
    <message>
      <source>Pause indexing</source>
      <translation>暂停建立索引</translation>
    </message>
    <message>
      <source>Resume indexing</source>
      <translation>继续建立索引</translation>
    </message>
    <message>
      <source>Enrich all…</source>
      <translation>深度提取全部…</translation>
    </message>
    <message>
      <source>Enrichment settings…</source>
      <translation>深度提取设置…</translation>
    </message>
    <message>
      <source>This library…</source>
      <translation>此资料库…</translation>
    </message>
    <message>
      <source>Show or hide details</source>
      <translation>显示或隐藏详细信息</translation>
    </message>
    <message>
      <source>Add from Zotero…</source>
      <translation>从 Zotero 添加…</translation>
    </message>
    <message>
      <source>Update from Zotero</source>
      <translation>从 Zotero 更新</translation>
    </message>
    <message>
      <source>Import references…</source>
      <translation>导入参考文献…</translation>
    </message>
    <message>
      <source>Open document</source>
      <translation>打开文档</translation>
    </message>
    <message>
      <source>Delete selected documents</source>
      <translation>删除所选文档</translation>
    </message>
    <message>
      <source>Rename document</source>
      <translation>重命名文档</translation>
    </message>
    <message>
      <source>Books, papers and notes</source>
      <translation>书籍、论文和笔记</translation>
    </message>
    <message>
      <source>All files</source>
      <translation>所有文件</translation>
    </message>
    <message>
      <source>Add a folder</source>
      <translation>添加文件夹</translation>
    </message>
    <message>
      <source>Open beside the library</source>
      <translation>在资料库旁边打开</translation>
    </message>
    <message>
      <source>Open in a new window</source>
      <translation>在新窗口中打开</translation>
    </message>
    <message>
      <source>Show its names</source>
      <translation>查看其中的实体</translation>
    </message>
    <message>
      <source>Index again…</source>
      <translation>重新建立索引…</translation>
    </message>
    <message>
      <source>Include in answers</source>
      <translation>用于回答</translation>
    </message>
    <message>
      <source>Exclude from answers</source>
      <translation>不用于回答</translation>
    </message>
    <message>
      <source>Read its pages next</source>
      <translation>优先识别它的页面</translation>
    </message>
    <message>
      <source>Don't read the other pages</source>
      <translation>不再识别其余页面</translation>
    </message>
    <message>
      <source>Stop enriching</source>
      <translation>停止深度提取</translation>
    </message>
    <message>
      <source>Add folder…</source>
      <translation>添加文件夹…</translation>
    </message>
    <message>
      <source>Selected documents</source>
      <translation>所选文档</translation>
    </message>
    <message>
      <source>Each change can be undone in one step.</source>
      <translation>每次更改都可一步撤销。</translation>
    </message>
    <message>
      <source>State</source>
      <translation>状态</translation>
    </message>
    <message>
      <source>Share of passages that a chat model has read</source>
      <translation>对话模型已读取的段落比例</translation>
    </message>
    <message>
      <source>Characters of text</source>
      <translation>正文字符数</translation>
    </message>
    <message>
      <source>Type</source>
      <translation>类型</translation>
    </message>
    <message>
      <source>Read</source>
      <translation>已阅读</translation>
    </message>
    <message>
      <source>Share that was read</source>
      <translation>已读的比例</translation>
    </message>
    <message>
      <source>Journal or book, or the publisher</source>
      <translation>期刊或书籍，或出版社</translation>
    </message>
    <message>
      <source>Recently added</source>
      <translation>最近添加</translation>
    </message>
    <message>
      <source>First added</source>
      <translation>最早添加</translation>
    </message>
    <message>
      <source>Show as a table</source>
      <translation>以表格显示</translation>
    </message>
    <message>
      <source>Show as cards</source>
      <translation>以卡片显示</translation>
    </message>
    <message>
      <source>Sort by…</source>
      <translation>排序方式…</translation>
    </message>
    <message>
      <source>Sorted by: {order}</source>
      <translation>排序：{order}</translation>
    </message>
    <message>
      <source>Reverse order</source>
      <translation>倒序</translation>
    </message>
    <message>
      <source>Library</source>
      <translation>资料库</translation>
    </message>
    <message>
      <source>Titles, authors, tags, texts</source>
      <translation>标题、作者、标签、正文</translation>
    </message>
    <message>
      <source>More</source>
      <translation>更多</translation>
    </message>
    <message>
      <source>Filter ({n})</source>
      <translation>筛选（{n}）</translation>
    </message>
    <message>
      <source>Filter</source>
      <translation>筛选</translation>
    </message>
    <message>
      <source>Find</source>
      <translation>查找</translation>
    </message>
    <message>
      <source>Filters</source>
      <translation>筛选</translation>
    </message>
    <message>
      <source>Names and relations were found without a model. A chat model can read the passages and name each relation.</source>
      <translation>实体和关系无需模型即可找到。对话模型可以阅读段落，说明每个关系。</translation>
    </message>
    <message>
      <source>Update waiting</source>
      <translation>等待更新</translation>
    </message>
    <message>
      <source>Updating</source>
      <translation>正在更新</translation>
    </message>
    <message>
      <source>Indexing again</source>
      <translation>正在重新建立索引</translation>
    </message>
    <message>
      <source>Restoring</source>
      <translation>正在恢复</translation>
    </message>
    <message>
      <source>Old text kept</source>
      <translation>保留旧文本</translation>
    </message>
    <message>
      <source>Not reindexed</source>
      <translation>未重新索引</translation>
    </message>
    <message>
      <source>Not restored</source>
      <translation>未能恢复</translation>
    </message>
    <message>
      <source>Press “Resume” in the sidebar to go on.</source>
      <translation>按侧栏中的“继续”即可继续。</translation>
    </message>
    <message>
      <source>{first} {second}</source>
      <translation>{first}{second}</translation>
    </message>
    <message>
      <source>Paused</source>
      <translation>已暂停</translation>
    </message>
    <message>
      <source>{state}. {more}</source>
      <translation>{state}。{more}</translation>
    </message>
    <message>
      <source>The present text is used until then.</source>
      <translation>在此之前使用现有文本。</translation>
    </message>
    <message>
      <source>{reason} The text of {date} is kept.</source>
      <translation>{reason}已保留 {date} 的文本。</translation>
    </message>
    <message>
      <source>Enriched: {done}</source>
      <translation>已深度提取：{done}</translation>
    </message>
    <message>
      <source>It waits, and the queue is paused. {more}</source>
      <translation>正在等待，队列已暂停。{more}</translation>
    </message>
    <message>
      <source>Paused at {share}%</source>
      <translation>暂停于 {share}%</translation>
    </message>
    <message>
      <source>Its pages are pictures that are damaged or too large.</source>
      <translation>其页面是已损坏或过大的图片。</translation>
    </message>
    <message>
      <source>Names and words can be searched; search by meaning is {share}% prepared.</source>
      <translation>实体和字词已可搜索；语义搜索已准备 {share}%。</translation>
    </message>
    <message>
      <source>Ready</source>
      <translation>就绪</translation>
    </message>
    <message>
      <source>Recognising text</source>
      <translation>正在识别文字</translation>
    </message>
    <message>
      <source>PDF</source>
      <translation>PDF</translation>
    </message>
    <message>
      <source>Scan or photograph</source>
      <translation>扫描件或照片</translation>
    </message>
    <message>
      <source>E-book</source>
      <translation>电子书</translation>
    </message>
    <message>
      <source>Text document</source>
      <translation>文字文档</translation>
    </message>
    <message>
      <source>Workbook</source>
      <translation>工作簿</translation>
    </message>
    <message>
      <source>Presentation</source>
      <translation>演示文稿</translation>
    </message>
    <message>
      <source>Text</source>
      <translation>文本</translation>
    </message>
    <message>
      <source>Web page</source>
      <translation>网页</translation>
    </message>
    <message>
      <source>Table or data</source>
      <translation>表格或数据</translation>
    </message>
    <message>
      <source>Letter</source>
      <translation>邮件</translation>
    </message>
    <message>
      <source>Subtitles</source>
      <translation>字幕</translation>
    </message>
    <message>
      <source>Archive</source>
      <translation>压缩包</translation>
    </message>
    <message>
      <source>{share}% read</source>
      <translation>已读 {share}%</translation>
    </message>
    <message>
      <source>{state}: {reason}</source>
      <translation>{state}：{reason}</translation>
    </message>
    <message>
      <source>What is indexed can be used already.</source>
      <translation>已索引的内容现在即可使用。</translation>
    </message>
    <message>
      <source>Indexing</source>
      <translation>正在建立索引</translation>
    </message>
    <message>
      <source>Text recognition is paused.</source>
      <translation>文字识别已暂停。</translation>
    </message>
    <message>
      <source>Its pages wait for those of other documents.</source>
      <translation>它的页面排在其他文档的页面之后。</translation>
    </message>
    <message>
      <source>same as {title}</source>
      <translation>内容同 {title}</translation>
    </message>
    <message>
      <source>none: cached answers were used</source>
      <translation>无：使用了缓存的回答</translation>
    </message>
    <message>
      <source>It could not be read.</source>
      <translation>无法读取。</translation>
    </message>
    <message>
      <source>It is not used for answers.</source>
      <translation>不用于回答问题。</translation>
    </message>
    <message>
      <source>It is in the queue.</source>
      <translation>已在队列中。</translation>
    </message>
    <message>
      <source>Its text is being extracted.</source>
      <translation>正在提取文本。</translation>
    </message>
    <message>
      <source>Use “Resume” to index the rest.</source>
      <translation>使用“继续”索引其余部分。</translation>
    </message>
    <message>
      <source>Stopped</source>
      <translation>已停止</translation>
    </message>
    <message>
      <source>Can't be read</source>
      <translation>无法读取</translation>
    </message>
    <message>
      <source>{rate} per second</source>
      <translation>每秒 {rate} 个</translation>
    </message>
    <message>
      <source>another document</source>
      <translation>另一个文档</translation>
    </message>
    <message>
      <source>{share}%, {failed}</source>
      <translation>{share}%，{failed}</translation>
    </message>
    <message>
      <source>Not yet</source>
      <translation>尚未</translation>
    </message>
    <message>
      <source>No results</source>
      <translation>没有结果</translation>
    </message>
    <message>
      <source>Model</source>
      <translation>模型</translation>
    </message>
    <message>
      <source>Tokens</source>
      <translation>词元</translation>
    </message>
    <message>
      <source>Time</source>
      <translation>用时</translation>
    </message>
    <message>
      <source>Wrong password</source>
      <translation>密码错误</translation>
    </message>
    <message>
      <source>Needs password</source>
      <translation>需要密码</translation>
    </message>
    <message numerus="yes">
      <source>{n} characters</source>
      <translation>
        <numerusform>{n} 个字符</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} documents added to “{name}”</source>
      <translation>
        <numerusform>已将 {n} 个文档加入“{name}”</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} documents moved to the front of the queue.</source>
      <translation>
        <numerusform>{n} 个文档已移到队列最前。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} documents</source>
      <translation>
        <numerusform>{n} 个文档</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Delete {n} documents permanently? This can't be undone.</source>
      <translation>
        <numerusform>要永久删除 {n} 个文档吗？此操作无法撤销。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Documents are deleted permanently after {n} days.</source>
      <translation>
        <numerusform>文档 {n} 天后永久删除。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} documents tagged “{tag}”</source>
      <translation>
        <numerusform>已为 {n} 个文档添加标签“{tag}”</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Tag “{tag}” removed from {n} documents</source>
      <translation>
        <numerusform>已从 {n} 个文档移除标签“{tag}”</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} documents excluded from answers</source>
      <translation>
        <numerusform>已将 {n} 个文档排除在回答之外</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} documents included in answers</source>
      <translation>
        <numerusform>已将 {n} 个文档纳入回答</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Details of {n} documents</source>
      <translation>
        <numerusform>{n} 个文档的详细信息</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} pages</source>
      <translation>
        <numerusform>{n} 页</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Delete {n} documents from the library? {goes} go with them; the files on disk stay.</source>
      <translation>
        <numerusform>要从资料库中删除 {n} 个文档吗？{goes}会随之删除；磁盘上的文件会保留。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} names</source>
      <translation>
        <numerusform>{n} 个实体</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} connections</source>
      <translation>
        <numerusform>{n} 条关系</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Delete {n} documents from the library? The files on disk stay.</source>
      <translation>
        <numerusform>要从资料库中删除 {n} 个文档吗？磁盘上的文件会保留。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Delete {n} documents from the library? {goes} goes with them; the files on disk stay.</source>
      <translation>
        <numerusform>要从资料库中删除 {n} 个文档吗？{goes}会随之删除；磁盘上的文件会保留。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} files were not added</source>
      <translation>
        <numerusform>{n} 个文件未能添加</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>and {n} more</source>
      <translation>
        <numerusform>还有 {n} 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Delete these {n} copies as well</source>
      <translation>
        <numerusform>同时删除这 {n} 个副本</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Index {n} documents again</source>
      <translation>
        <numerusform>为 {n} 个文档重新建立索引</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} documents are indexed again.</source>
      <translation>
        <numerusform>正在为 {n} 个文档重新建立索引。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} passages are enriched; where their text changes, they have to be enriched again.</source>
      <translation>
        <numerusform>有 {n} 个段落已深度提取；内容有变的段落需要重新深度提取。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} mentions</source>
      <translation>
        <numerusform>{n} 处提及</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} can't be read</source>
      <translation>
        <numerusform>{n} 页无法识别</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} left out</source>
      <translation>
        <numerusform>略过 {n} 页</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} documents selected</source>
      <translation>
        <numerusform>已选中 {n} 个文档</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} references copied.</source>
      <translation>
        <numerusform>已复制 {n} 条参考文献。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} references written to “{file}”.</source>
      <translation>
        <numerusform>已将 {n} 条参考文献写入“{file}”。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Only the first {n} characters of this text are in the search field.</source>
      <translation>
        <numerusform>搜索框中只有这段文字的前 {n} 个字符。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Open {n} documents</source>
      <translation>
        <numerusform>打开 {n} 个文档</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{pages} (in {n} documents)</source>
      <translation>
        <numerusform>{pages}（{n} 个文档）</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Move {n} documents to Trash</source>
      <translation>
        <numerusform>将 {n} 个文档移到回收站</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Index {n} documents again…</source>
      <translation>
        <numerusform>重新建立 {n} 个文档的索引…</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Filters ({n} set)</source>
      <translation>
        <numerusform>筛选（{n} 项）</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{done} of {n} pages that are pictures are read. What is read can be used already.</source>
      <translation>
        <numerusform>{n} 页图片中已识别 {done} 页。已识别的内容现在就可以使用。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{done} of {n} passages are indexed. {more}</source>
      <translation>
        <numerusform>已索引 {done}/{n} 个段落。{more}</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{done} of {n} passages</source>
      <translation>
        <numerusform>{done}/{n} 个段落</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} still being indexed</source>
      <translation>
        <numerusform>{n} 个文档还在索引</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} failed</source>
      <translation>
        <numerusform>{n} 个失败</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} waiting</source>
      <translation>
        <numerusform>{n} 个等待中</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{done} of {n} rows</source>
      <translation>
        <numerusform>{done}/{n} 行</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{done} of {n} documents</source>
      <translation>
        <numerusform>{done}/{n} 个文档</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{done} of {n} pages</source>
      <translation>
        <numerusform>{done}/{n} 页</numerusform>
      </translation>
    </message>
  </context>
</TS>

<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>Picture without a caption</source>
      <translation>没有图注的图片</translation>
    </message>
    <message>
      <source>p. {page}</source>
      <translation>第 {page} 页</translation>
    </message>
    <message>
      <source>{n} of {of}</source>
      <translation>第 {n} 张，共 {of} 张</translation>
    </message>
    <message>
      <source>Picture</source>
      <translation>图片</translation>
    </message>
    <message>
      <source>Previous picture</source>
      <translation>上一张图片</translation>
    </message>
    <message>
      <source>Next picture</source>
      <translation>下一张图片</translation>
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
      <source>Fit</source>
      <translation>适合窗口</translation>
    </message>
    <message>
      <source>Copy picture</source>
      <translation>复制图片</translation>
    </message>
    <message>
      <source>Save picture as…</source>
      <translation>图片另存为…</translation>
    </message>
    <message>
      <source>Go to its place</source>
      <translation>转到所在位置</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Drawing the picture…</source>
      <translation>正在绘制图片…</translation>
    </message>
    <message>
      <source>Save picture</source>
      <translation>保存图片</translation>
    </message>
    <message>
      <source>Show the whole picture</source>
      <translation>显示整张图片</translation>
    </message>
    <message>
      <source>The picture was copied.</source>
      <translation>图片已复制。</translation>
    </message>
    <message>
      <source>Saved {name}</source>
      <translation>已保存 {name}</translation>
    </message>
  </context>
</TS>

<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>Your description</source>
      <translation>您的描述</translation>
    </message>
    <message>
      <source>It goes on in the background, and waits while you ask or read.</source>
      <translation>它在后台进行，您提问或阅读时会等待。</translation>
    </message>
    <message>
      <source>At the speed of the last pictures it takes {time}.</source>
      <translation>按最近几张图片的速度，需要 {time}。</translation>
    </message>
    <message>
      <source>Description by a model ({name})</source>
      <translation>模型描述（{name}）</translation>
    </message>
    <message>
      <source>Each picture takes from some seconds to some minutes on this computer; after the first, the time that is left is shown.</source>
      <translation>在本机上，每张图片需要几秒到几分钟；第一张完成后会显示剩余时间。</translation>
    </message>
    <message>
      <source>Yours is shown instead of a model's, also when a model describes it again.</source>
      <translation>显示的是您的描述而不是模型的，模型重新描述后也是如此。</translation>
    </message>
    <message>
      <source>Waits for its description</source>
      <translation>等待描述</translation>
    </message>
    <message>
      <source>No description</source>
      <translation>没有描述</translation>
    </message>
    <message>
      <source>All pictures of this document were described or tried. {model} describes them again; your own descriptions stay.</source>
      <translation>此文档的所有图片都已描述或尝试过。{model} 将重新描述；您自己的描述会保留。</translation>
    </message>
    <message>
      <source>{model} writes one or two sentences about each picture. They are marked as a model's, are found by search, and are never quoted as words of the document.</source>
      <translation>{model} 为每张图片写一两句话。这些描述会标明出自模型，可以搜索到，但绝不会作为文档原文引用。</translation>
    </message>
    <message>
      <source>Description of the picture</source>
      <translation>图片描述</translation>
    </message>
    <message>
      <source>Delete the description</source>
      <translation>删除描述</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>Describe</source>
      <translation>描述</translation>
    </message>
    <message>
      <source>Save</source>
      <translation>保存</translation>
    </message>
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
      <source>Let a model on this computer say what is in it</source>
      <translation>让本机上的模型说明图中内容</translation>
    </message>
    <message>
      <source>Description…</source>
      <translation>描述…</translation>
    </message>
    <message>
      <source>Write, correct or delete the description</source>
      <translation>撰写、更正或删除描述</translation>
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
      <source>Show the whole picture</source>
      <translation>显示整张图片</translation>
    </message>
    <message>
      <source>Describe again</source>
      <translation>重新描述</translation>
    </message>
    <message>
      <source>The picture was copied.</source>
      <translation>图片已复制。</translation>
    </message>
    <message>
      <source>Save picture</source>
      <translation>保存图片</translation>
    </message>
    <message>
      <source>Saved {name}</source>
      <translation>已保存 {name}</translation>
    </message>
    <message numerus="yes">
      <source>Describe {n} pictures?</source>
      <translation>
        <numerusform>要描述 {n} 张图片吗？</numerusform>
      </translation>
    </message>
  </context>
</TS>

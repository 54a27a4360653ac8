<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>multilingual</source>
      <translation>多语言</translation>
    </message>
    <message>
      <source>Answers</source>
      <translation>回答</translation>
    </message>
    <message>
      <source>Semantic search</source>
      <translation>语义搜索</translation>
    </message>
    <message>
      <source>Rerankers</source>
      <translation>重排器</translation>
    </message>
    <message>
      <source>Before an answer, the passages found can be ranked again. This is slower, and useful where the right passage is found but ranked too low.</source>
      <translation>回答之前，可以对找到的段落重新排序。这样较慢，适用于正确的段落已找到却排得靠后的情况。</translation>
    </message>
    <message>
      <source>Questions are answered with the passages that fit them. For written answers, install a model below, or put a GGUF file into the models folder.</source>
      <translation>会用相符的段落回答问题。要得到写成文字的回答，请安装下面的模型，或将 GGUF 文件放入模型文件夹。</translation>
    </message>
    <message>
      <source>Install</source>
      <translation>安装</translation>
    </message>
    <message>
      <source>Use</source>
      <translation>使用</translation>
    </message>
    <message>
      <source>Test</source>
      <translation>测试</translation>
    </message>
    <message>
      <source>Stop</source>
      <translation>停止</translation>
    </message>
    <message>
      <source>Remove from this computer</source>
      <translation>从这台电脑移除</translation>
    </message>
    <message>
      <source>Testing…</source>
      <translation>正在测试…</translation>
    </message>
    <message>
      <source>{size} on disk</source>
      <translation>占用磁盘 {size}</translation>
    </message>
    <message>
      <source>{size} of memory</source>
      <translation>需要内存 {size}</translation>
    </message>
    <message>
      <source>Reranking</source>
      <translation>重排</translation>
    </message>
    <message>
      <source>Models folder: {folder}</source>
      <translation>模型文件夹：{folder}</translation>
    </message>
    <message>
      <source>Remove {model} from this computer?</source>
      <translation>要从这台电脑移除 {model} 吗？</translation>
    </message>
    <message>
      <source>Ask one short question</source>
      <translation>提一个简短的问题</translation>
    </message>
    <message>
      <source>in use</source>
      <translation>使用中</translation>
    </message>
    <message>
      <source>installed</source>
      <translation>已安装</translation>
    </message>
    <message>
      <source>waiting to start</source>
      <translation>等待开始</translation>
    </message>
    <message>
      <source>{n} tokens/s</source>
      <translation>{n} 词元/秒</translation>
    </message>
    <message>
      <source>{n} s</source>
      <translation>{n} 秒</translation>
    </message>
    <message>
      <source>None</source>
      <translation>无</translation>
    </message>
    <message>
      <source>Models</source>
      <translation>模型</translation>
    </message>
    <message>
      <source>No model for answers is installed</source>
      <translation>没有安装用于回答的模型</translation>
    </message>
    <message>
      <source>{model} is installed.</source>
      <translation>{model} 已安装。</translation>
    </message>
    <message>
      <source>Remove</source>
      <translation>移除</translation>
    </message>
    <message>
      <source>Chat model (some seconds more)</source>
      <translation>对话模型（多几秒）</translation>
    </message>
    <message numerus="yes">
      <source>{n} more</source>
      <translation>
        <numerusform>其余 {n} 个</numerusform>
      </translation>
    </message>
  </context>
</TS>

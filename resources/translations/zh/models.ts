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
      <source>As they were found (at once)</source>
      <translation>按找到的顺序（立即）</translation>
    </message>
    <message>
      <source>By the chat model, asked of each passage (some seconds more)</source>
      <translation>由对话模型逐段判断（多几秒）</translation>
    </message>
    <message>
      <source>Before an answer, the passages found can be put in order once more. It is slower, and worth it where the right page is found but comes late.</source>
      <translation>回答之前，可以对找到的段落再排一次序。这样较慢，但在正确的页已找到却排得靠后时值得。</translation>
    </message>
    <message>
      <source>Answering questions</source>
      <translation>回答问题</translation>
    </message>
    <message>
      <source>Searching by meaning</source>
      <translation>按语义搜索</translation>
    </message>
    <message>
      <source>Models that put passages in order</source>
      <translation>段落排序模型</translation>
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
      <source>Check</source>
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
      <source>Trying it…</source>
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
      <source>Order of passages</source>
      <translation>段落排序</translation>
    </message>
    <message>
      <source>Models</source>
      <translation>模型</translation>
    </message>
    <message>
      <source>Models lie in {folder}</source>
      <translation>模型位于 {folder}</translation>
    </message>
    <message>
      <source>{model} is installed.</source>
      <translation>{model} 已安装。</translation>
    </message>
    <message>
      <source>Remove {model} from this computer?</source>
      <translation>要从这台电脑移除 {model} 吗？</translation>
    </message>
    <message>
      <source>Try it with one short question</source>
      <translation>用一个短问题试试</translation>
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
      <source>Works without a model for answers</source>
      <translation>没有对话模型也能使用</translation>
    </message>
    <message>
      <source>Questions are answered with the passages that fit them. For written answers, install a model below, or put a GGUF file into the models folder.</source>
      <translation>会用相符的段落回答问题。要得到写成文字的回答，请安装下面的模型，或将 GGUF 文件放入模型文件夹。</translation>
    </message>
    <message>
      <source>Remove</source>
      <translation>移除</translation>
    </message>
    <message>
      <source>By {model}</source>
      <translation>由 {model} 排序</translation>
    </message>
    <message numerus="yes">
      <source>{n} more</source>
      <translation>
        <numerusform>其余 {n} 个</numerusform>
      </translation>
    </message>
  </context>
</TS>

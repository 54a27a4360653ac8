<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>{words} · {share}%</source>
      <translation>{words} · {share}%</translation>
    </message>
    <message>
      <source>Exact</source>
      <translation>完全一致</translation>
    </message>
    <message>
      <source>Small differences</source>
      <translation>略有差异</translation>
    </message>
    <message>
      <source>Similar wording</source>
      <translation>措辞相近</translation>
    </message>
    <message>
      <source>p. {page}</source>
      <translation>第 {page} 页</translation>
    </message>
    <message>
      <source>at {share}%</source>
      <translation>位于 {share}% 处</translation>
    </message>
    <message>
      <source>at the beginning</source>
      <translation>开头</translation>
    </message>
    <message>
      <source>Places of the quotation</source>
      <translation>引文所在位置</translation>
    </message>
    <message>
      <source>{plus} only in the document   {minus} only in the quotation</source>
      <translation>{plus} 仅文档中有   {minus} 仅引文中有</translation>
    </message>
    <message>
      <source>Find a quotation</source>
      <translation>查找引文</translation>
    </message>
    <message>
      <source>Quotation</source>
      <translation>引文</translation>
    </message>
    <message>
      <source>Paste a sentence or more. “…” stands for words that are left out.</source>
      <translation>粘贴一句或一段话，“……”代表省略的文字。</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Where does it stand?</source>
      <translation>这段话出自何处？</translation>
    </message>
    <message>
      <source>The library names the document, the page and the chapter, also where the quotation has errors, missing or other words, or the other Chinese script.</source>
      <translation>资料库会给出所在的文档、页码和章节。引文有错字、漏字、异文，或繁简不同，也能找到。</translation>
    </message>
    <message>
      <source>This quotation is not in the library</source>
      <translation>资料库中没有这段引文</translation>
    </message>
    <message>
      <source>Only documents that were read are searched. Try a longer piece of it.</source>
      <translation>只查找已读入的文档。可以试试更长的一段。</translation>
    </message>
    <message numerus="yes">
      <source>{n} places</source>
      <translation>
        <numerusform>{n} 处</numerusform>
      </translation>
    </message>
  </context>
</TS>

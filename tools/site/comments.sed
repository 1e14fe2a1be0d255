#!/bin/sed -f
# Plain comments before and behind declarations become Doxygen's.
s|^/\* |/** |
s|^\( *\)// |\1/// |
s|\([;,{]\) */\* |\1 /**< |
# A structure and its typedef of the same name are one thing.
s|^typedef struct \([a-z_]*\) {|struct \1 {|
s|^} residue_[a-z_]*;|};|
# Readers write residue::ModulusFloor; the version inside is the linker's.
s|^inline namespace v[0-9]* {$||
s|^}  // namespace v[0-9]*$||

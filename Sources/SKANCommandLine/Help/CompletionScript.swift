/// The scripts that shells run to complete `skan`. They are small, because they ask `skan` for all candidates.
///
/// `skan __complete` answers with a line `:directories` or `:files ENDING` if files fit, and with a line per candidate:
/// its text, a tab, and its description. After `--option=` a candidate is just the value.
package enum CompletionScript {
  package static func text(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  // Readline splits words at the characters of COMP_WORDBREAKS, which include "=" and ":". The script joins the pieces,
  // and strips from the candidates the part that readline keeps.
  private static let bash = #"""
    # bash completion for skan: https://github.com/scop/bash-completion loads it from share/bash-completion/completions/skan.
    _skan() {
      local line=${COMP_LINE:0:COMP_POINT} last=${COMP_WORDS[COMP_CWORD]} i part space candidate value lead=
      local -a words=()
      COMPREPLY=()
      for ((i = 0; i <= COMP_CWORD; i++)); do
        part=${COMP_WORDS[i]}
        space=${line%%[![:space:]]*}
        line=${line#"$space"}
        [[ $line == "$part"* ]] || part=$line
        line=${line#"$part"}
        if ((i == 0)) || [[ -n $space ]]; then words+=("$part"); else words[${#words[@]} - 1]+=$part; fi
        last=$part
      done
      [[ $last == [=:] ]] && last=
      local current=${words[${#words[@]} - 1]}
      # What stands before the part of the word that readline replaces.
      local kept=${current%"$last"}
      value=$current
      if [[ $current == --*=* ]]; then lead=${current%%=*}= value=${current#*=}; fi
      words=("${words[@]//\\/}")
      local -a plain=()
      for part in "${words[@]:1}"; do
        part=${part#[\"\']}
        plain+=("${part%[\"\']}")
      done
      while IFS= read -r candidate; do
        case $candidate in
          :directories)
            compopt -o filenames 2>/dev/null
            while IFS= read -r part; do COMPREPLY+=("${lead}$part"); done < <(compgen -d -- "$value")
            ;;
          ":files "*)
            compopt -o filenames 2>/dev/null
            while IFS= read -r part; do
              if [[ -d $part || $part == *"${candidate#:files }" ]]; then COMPREPLY+=("${lead}$part"); fi
            done < <(compgen -f -- "$value")
            ;;
          *) COMPREPLY+=("$lead$(printf %q "$candidate")") ;;
        esac
      done < <("${COMP_WORDS[0]}" __complete bash -- "${plain[@]}" 2>/dev/null)
      for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=${COMPREPLY[i]#"$kept"}; done
    }
    complete -F _skan skan

    """#

  private static let zsh = #"""
    #compdef skan
    _skan() {
      local line text
      local -a typed described
      typed=("${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}")
      [[ $PREFIX == --*=* ]] && compset -P 1 '*='
      for line in "${(@f)$(command "${(Q)words[1]/#\~/$HOME}" __complete zsh -- "${typed[@]}" 2>/dev/null)}"; do
        case $line in
          :directories) _files -/ ;;
          ':files ') _files ;;
          ':files '*) _files -g "*.${line#:files }(-.)" ;;
          ?*)
            text=${line%%$'\t'*}
            line=${line#*$'\t'}
            described+=("${text//:/\\:}${line:+:$line}")
            ;;
        esac
      done
      (( ${#described} )) && _describe -t values skan described
    }
    if [[ ${funcstack[1]} == _skan ]]; then _skan "$@"; else compdef _skan skan; fi

    """#

  private static let fish = #"""
    function __skan_complete
        set -l typed (commandline -opc)
        set -l current (commandline -ct)
        set -l lead ''
        set -l value $current
        if string match -q -- '--*=*' $current
            set lead (string replace -r '=.*' '=' -- $current)
            set value (string replace -r '^[^=]*=' '' -- $current)
        end
        for line in ($typed[1] __complete fish -- $typed[2..-1] $current 2>/dev/null)
            switch $line
                case ':directories'
                    for path in (__fish_complete_directories $value '')
                        echo $lead$path
                    end
                case ':files *'
                    set -l ending (string replace ':files ' '' -- $line)
                    for path in (__fish_complete_path $value '')
                        set -l name (string split \t -- $path)[1]
                        if string match -q -- '*/' $name; or test -z "$ending"; or string match -q -- "*.$ending" $name
                            echo $lead$name
                        end
                    end
                case '*'
                    echo $lead$line
            end
        end
    end
    complete -c skan -f -a '(__skan_complete)'

    """#
}

/// The shells that have completions.
package enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish
}

#!/usr/bin/env bash
# Runs the two commands of README.md, "python3 run.py demo" and "python3 run.py test", on a bare
# Debian as an ordinary user, and reports times, sizes and results. Owns a Debian root made with
# debootstrap and everything that is mounted in it. Names no host: the package mirror comes from
# apt, the package index from pip, proxies and certificates from the environment of this machine.
# packaging/README.md describes it.
set -uo pipefail
set -m # each job in its own process group, so that it can be stopped as a whole
umask 022

usage() {
    cat <<'USAGE'
usage: packaging/fresh_check.sh [OPTIONS] [RELEASE]

Makes a bare Debian root with debootstrap (RELEASE: the code name, by default this machine's),
installs what README.md and run.py ask of a Debian user, clones this checkout into it, and runs
"python3 run.py demo" and "python3 run.py test" there as an ordinary user. Needs root, debootstrap
and git. Uncommitted changes are not part of the clone.

  --only demo|test|base  run one command only; base: make the root, check it, and stop
  --root DIR             work in DIR (new, empty, or from an earlier run), default: a new folder
                         in ${TMPDIR:-/var/tmp}
  --keep                 leave the folder in place at the end; a later run with --root uses its
                         Debian root again if the release, mirror and packages are the same
  --mirror URL           take the Debian packages from URL, default: from this machine's apt sources
  --fonts dejavu         ask for fonts-dejavu-core and accept no other font package; default: only
                         the font packages that the libraries themselves depend on
  --enter                open a shell as the ordinary user in a folder kept with --root and --keep;
                         runs no check and changes nothing else
  --help                 print this

Exit code: 0 all commands passed, 1 a command failed, 2 the check itself could not be done.
USAGE
}

say() { printf '%s\n' "$*"; }

fail() { # TEXT: the check can't be done
    say $'\n'"fresh_check could not go on: $*" >&2
    exit 2
}

# --- options -------------------------------------------------------------------------------------

checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
arguments=("$@")
user=reader
release="" mirror="" fonts="" work="" enter="" keep="" only=""

while (($#)); do
    case $1 in
    --only | --root | --mirror | --fonts)
        (($# >= 2)) || fail "$1 needs a value (see --help)."
        case $1 in
        --only) only=$2 ;;
        --root) work=$2 ;;
        --mirror) mirror=$2 ;;
        --fonts) fonts=$2 ;;
        esac
        shift 2
        continue
        ;;
    --keep) keep=yes ;;
    --enter) enter=yes ;;
    --help | -h)
        usage
        exit 0
        ;;
    -*) fail "there is no option $1 (see --help)." ;;
    *)
        [[ -z $release ]] || fail "only one release can be given (see --help)."
        release=$1
        ;;
    esac
    shift
done
case $only in "" | demo | test | base) ;; *) fail "--only is demo, test or base." ;; esac
case $fonts in "" | dejavu) ;; *) fail "--fonts can only be dejavu." ;; esac
[[ $release =~ ^[a-z]*$ ]] || fail "a release is a code name in small letters, such as bookworm."
[[ -z $enter || -n $work ]] || fail "--enter needs --root DIR of a run that was kept."

((EUID == 0)) || fail "debootstrap and chroot need root: sudo -E $0 (-E keeps pip's settings)."
for program in debootstrap git python3 chroot mount mountpoint flock tail; do
    command -v "$program" >/dev/null || fail "this machine has no $program: install it first."
done

# In a mount namespace of its own nothing is mounted for the rest of the machine, and everything is
# unmounted when the last process ends, however it ends. The traps do the same where there is none.
if [[ -z ${FRESH_CHECK_NAMESPACE:-} ]]; then
    if unshare --mount --propagation private true 2>/dev/null; then
        export FRESH_CHECK_NAMESPACE=own
        exec unshare --mount --propagation private -- \
            "$BASH" "${BASH_SOURCE[0]}" ${arguments[@]+"${arguments[@]}"}
    fi
    FRESH_CHECK_NAMESPACE=shared
fi

# --- cleaning up ---------------------------------------------------------------------------------

root="" # the Debian root: $work/system
logs="" # complete output of every step: $work/logs
marker="" # says that $root is ours, and what it was made from
job="" viewer=""
prepared="" # $work is ours to clean up
failed=""   # a step failed: its log stays

list_mounts() { # mount points inside $root, the innermost first
    local point
    while read -r _ _ _ _ point _; do
        [[ $point == "$root" || $point == "$root"/* ]] && printf '%s\n' "$point"
    done </proc/self/mountinfo | sort -r
}

list_processes() { # processes that run inside $root
    local process place
    for process in /proc/[0-9]*; do
        place=$(readlink "$process/root" 2>/dev/null) || continue
        [[ $place == "$root" || $place == "$root"/* ]] && printf '%s\n' "${process#/proc/}"
    done
}

stop_job() { # ends the process group of the current job
    kill -TERM -- "-$job" 2>/dev/null
    for _ in {1..50}; do
        kill -0 -- "-$job" 2>/dev/null || return
        sleep 0.1
    done
    kill -KILL -- "-$job" 2>/dev/null
}

stop_processes() { # ends what still runs inside $root, returns 0 if there was any
    local pids
    mapfile -t pids < <(list_processes)
    ((${#pids[@]})) || return 1
    kill -TERM "${pids[@]}" 2>/dev/null
    for _ in {1..50}; do
        mapfile -t pids < <(list_processes)
        ((${#pids[@]})) || return 0
        sleep 0.1
    done
    kill -KILL "${pids[@]}" 2>/dev/null
    return 0
}

unmount_all() {
    local point
    while read -r point; do
        mountpoint -q "$point" || continue
        umount "$point" 2>/dev/null || umount --lazy "$point" ||
            say "$point could not be unmounted." >&2
    done < <(list_mounts)
    [[ -z $(list_mounts) ]]
}

delete_inside() { # PATH…: deletes what is in them, only if $root is ours and nothing is mounted in it
    local path
    [[ -f $marker ]] || fail "$root was not made by this script, so nothing is deleted."
    # A bind mount of the same disk looks like a plain folder to -xdev, so that alone is not enough.
    [[ -z $(list_mounts) ]] || fail "something is still mounted in $root, so nothing is deleted."
    for path; do
        if [[ -d $path && $path/ == "$root"/* ]]; then find "$path" -xdev -mindepth 1 -delete; fi
    done
}

delete_root() {
    [[ -e $root ]] || return 0
    delete_inside "$root"
    rmdir -- "$root"
}

clean_up() {
    local code=$?
    trap '' INT TERM HUP
    trap - EXIT
    disown -a # so that bash prints nothing about jobs that end from here on
    if [[ -n $viewer ]]; then kill -TERM -- "-$viewer" 2>/dev/null; fi
    if [[ -n $job ]]; then stop_job; fi
    if [[ -n $prepared ]]; then
        stop_processes
        rm -rf --one-file-system -- "$work/pip" "$work/gitconfig"
        if ! unmount_all; then
            say "Something is still mounted in $root, so it is left in place." >&2
        elif [[ -n $keep ]]; then
            say $'\n'"Kept: the Debian root $root, the logs $logs"
        else
            delete_root
            if [[ -n $failed ]]; then
                say incomplete >"$marker"
                say $'\n'"The complete output is in $logs; the Debian root was deleted (--keep keeps it)."
            else
                rm -rf --one-file-system -- "$logs" "$marker"
                rmdir -- "$work" 2>/dev/null
            fi
        fi
    fi
    exit "$code"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

# --- running things ------------------------------------------------------------------------------

duration() { # SECONDS
    if (($1 < 90)); then printf '%d s' "$1"; else printf '%d min %d s' $(($1 / 60)) $(($1 % 60)); fi
}

size() { # KIBIBYTES
    if (($1 < 1024 * 1024)); then
        printf '%d MiB' $((($1 + 512) / 1024))
    else
        printf '%d.%d GiB' $(($1 / 1048576)) $(($1 % 1048576 * 10 / 1048576))
    fi
}

disk_used() { # PATH: what it takes on disk, in KiB, without what is mounted there
    local used point excluded=()
    while read -r point; do excluded+=("--exclude=$point"); done < <(list_mounts)
    used=$(du -sxk ${excluded[@]+"${excluded[@]}"} -- "$1" 2>/dev/null | cut -f1)
    printf '%d' "${used:-0}"
}

run_job() { # LOG COMMAND…: runs it with its output in LOG; can be interrupted by a signal
    local log=$1 code=0
    shift
    "$@" >>"$log" 2>&1 </dev/null 9<&- &
    job=$!
    wait "$job" || code=$?
    job=""
    return "$code"
}

run_step() { # LOG TEXT COMMAND…: one step of making the root; if it fails, so does the check
    local log=$logs/$1 text=$2 started=$SECONDS
    shift 2
    say "$text"
    if ! run_job "$log" "$@"; then
        failed=yes
        tail -n 20 "$log" | sed 's/^/    | /'
        fail "that step failed; its complete output is in $log."
    fi
    say "    done in $(duration $((SECONDS - started)))"
}

inside_as_root() { # COMMAND…
    chroot "$root" /usr/bin/env -i --default-signal=INT,QUIT,PIPE HOME=/root LANG=C.UTF-8 \
        PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
        ${network_environment[@]+"${network_environment[@]}"} "$@"
}

inside_as_user() { # COMMAND…: in the clone, with the environment of a login shell, no display
    # shellcheck disable=SC2016  # "$@" is for the shell inside
    chroot --userspec="$user:$user" "$root" /usr/bin/env -i --default-signal=INT,QUIT,PIPE \
        "HOME=/home/$user" "USER=$user" "LOGNAME=$user" SHELL=/bin/bash LANG=C.UTF-8 \
        "TERM=${TERM:-dumb}" ${network_environment[@]+"${network_environment[@]}"} \
        /bin/bash -l -c 'cd ~/inkgraph && exec "$@"' bash "$@"
}

# --- what this machine says of mirror, index and network ------------------------------------------

host_release() { # the code name of this machine's release
    # shellcheck source=/dev/null
    (. /etc/os-release 2>/dev/null && printf '%s' "${VERSION_CODENAME:-}")
}

host_sources() { # "URI suite component" of the distribution's own apt sources, for $release
    local host uri suite component codename origin distribution
    host=$(host_release)
    # shellcheck source=/dev/null
    distribution=$(. /etc/os-release && printf '%s' "${ID:-}")
    # shellcheck disable=SC2016  # these are apt's variables
    apt-get indextargets 'Created-By: Packages' \
        --format '$(REPO_URI) $(RELEASE) $(COMPONENT) $(CODENAME) $(ORIGIN)' 2>/dev/null | sort -u |
        while read -r uri suite component codename origin; do
            # Before the first "apt-get update", apt leaves what it does not know as $(NAME).
            [[ $codename == '$('* ]] && codename=$suite
            [[ $origin == '$('* ]] && origin=$distribution
            [[ ${origin,,} == "${distribution,,}" ]] || continue
            case $component in main | universe) ;; *) continue ;; esac
            case $codename in
            "$host" | "$host-updates" | "$host-security") ;;
            *) continue ;;
            esac
            printf '%s %s %s\n' "${uri%/}" "$release${codename#"$host"}" "$component"
        done
}

find_sources() { # sets release, mirror, components and sources (the lines of a sources.list)
    local uri suite component lines
    [[ -n $release ]] || release=$(host_release)
    [[ -n $release ]] || fail "this machine does not say which release it has: name one."
    components=main sources=""
    if [[ -n $mirror ]]; then
        sources="deb $mirror $release main"
        return
    fi
    command -v apt-get >/dev/null || fail "there is no apt here to take a mirror from: use --mirror."
    lines=$(host_sources)
    while read -r uri suite component; do
        [[ -n $uri ]] || continue
        sources+="deb $uri $suite $component"$'\n'
        [[ $suite == "$release" ]] || continue
        [[ -n $mirror ]] || mirror=$uri
        [[ ",$components," == *",$component,"* ]] || components+=",$component"
    done <<<"$lines"
    [[ -n $mirror ]] || fail "this machine's apt sources name no mirror of its release: use --mirror."
}

find_packages() { # sets packages: the basic ones, and those that README.md and run.py name
    local line readme="" qt
    qt=$(python3 -c '
import runpy, sys
print(runpy.run_path(sys.argv[1]).get("QT_PACKAGES", ""))' "$checkout/run.py") ||
        fail "run.py could not be read."
    while read -r line; do
        readme+=" ${line##*install }"
    done < <(grep -ohE 'apt(-get)? install [a-z0-9][a-z0-9 .+-]*' "$checkout/README.md")
    packages="python3 python3-venv build-essential ca-certificates $qt$readme"
    [[ -z $fonts ]] || packages+=" fonts-dejavu-core"
    packages=$(tr -s ' ' '\n' <<<"$packages" | sed 's/[.]$//' | grep -v '^-' | sort -u | tr '\n' ' ')
    packages=${packages% }
}

find_network() { # sets network_environment and pip_folders from this machine's settings
    local name lower value path
    network_environment=() pip_folders=() certificates=()
    python3 "$checkout/packaging/pip_settings.py" "$work/pip" || fail "pip's settings could not be read."
    while read -r path; do
        say "    pip's configuration names $path, which does not exist here."
    done <"$work/pip/missing"
    mapfile -t pip_folders <"$work/pip/folders"
    mapfile -t certificates <"$work/pip/certificates"
    mapfile -t network_environment <"$work/pip/environment"
    for lower in http_proxy https_proxy ftp_proxy all_proxy no_proxy; do
        for name in "$lower" "${lower^^}"; do
            if [[ -n ${!name:-} ]]; then network_environment+=("$name=${!name}"); fi
        done
    done
    for name in SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE; do
        value=${!name:-}
        [[ -n $value ]] || continue
        network_environment+=("$name=$value")
        if [[ -f $value ]]; then certificates+=("$value"); fi
    done
    if [[ -z ${http_proxy:-} ]] && command -v apt-config >/dev/null; then
        eval "$(apt-config shell apt_proxy Acquire::http::Proxy)"
        if [[ -n ${apt_proxy:-} && $apt_proxy != DIRECT ]]; then export http_proxy=$apt_proxy; fi
    fi
}

# --- the Debian root -----------------------------------------------------------------------------

mount_one() { # TARGET MOUNT-ARGUMENTS…
    local target=$1
    shift
    { mkdir -p "$target" && mount "$@" "$target"; } || fail "$target could not be mounted."
}

mount_all() { # /proc, /sys, a small /dev, and the local folders of pip's configuration
    local node folder
    [[ -z $(list_mounts) ]] || unmount_all || fail "something is already mounted in $root."
    mount_one "$root/proc" -t proc -o nosuid,nodev,noexec proc
    mount_one "$root/sys" -t sysfs -o ro,nosuid,nodev,noexec sysfs
    mount_one "$root/dev" -t tmpfs -o mode=0755,nosuid tmpfs
    for node in null zero full random urandom tty; do
        : >"$root/dev/$node"
        mount --bind "/dev/$node" "$root/dev/$node" || fail "/dev/$node could not be mounted."
    done
    mount_one "$root/dev/pts" -t devpts -o newinstance,ptmxmode=0666,mode=0620,gid=5 devpts
    mount_one "$root/dev/shm" -t tmpfs -o mode=1777,nosuid,nodev tmpfs
    ln -s pts/ptmx "$root/dev/ptmx"
    ln -s /proc/self/fd "$root/dev/fd"
    ln -s /proc/self/fd/0 "$root/dev/stdin"
    ln -s /proc/self/fd/1 "$root/dev/stdout"
    ln -s /proc/self/fd/2 "$root/dev/stderr"
    for folder in ${pip_folders[@]+"${pip_folders[@]}"}; do
        mount_one "$root$folder" --bind "$folder"
        mount -o remount,bind,ro "$root$folder" || fail "$folder could not be made read-only."
    done
}

write_network_settings() { # name resolution, apt's access settings, certificates, pip's index
    local path
    for path in /etc/resolv.conf /etc/hosts; do
        rm -f -- "$root$path"
        cp --dereference -- "$path" "$root$path" || return 1
    done
    if command -v apt-config >/dev/null; then
        apt-config dump | grep -E '^Acquire::((https?|ftp)::|Check-|Retries|ForceIPv)' |
            grep -v 'Auto-Detect' >"$root/etc/apt/apt.conf.d/90host"
    fi
    printf '%s\n' "$sources" >"$root/etc/apt/sources.list"
    mkdir -p "$root/usr/local/share/ca-certificates"
    find /usr/local/share/ca-certificates -name '*.crt' \
        -exec cp -t "$root/usr/local/share/ca-certificates" -- {} + 2>/dev/null
    inside_as_root update-ca-certificates || return 1
    for path in ${certificates[@]+"${certificates[@]}"}; do
        mkdir -p "$root${path%/*}" && cp --dereference -- "$path" "$root$path" || return 1
        chmod 644 "$root$path"
    done
    cp -- "$work/pip/pip.conf" "$root/etc/pip.conf" && chmod 644 "$root/etc/pip.conf"
}

install_packages() {
    inside_as_root apt-get update || return 1
    # shellcheck disable=SC2086  # a list of words
    inside_as_root apt-get install --yes --no-install-recommends $packages || return 1
    inside_as_root apt-get clean
}

prepare_folder() { # makes $work, or takes the one of an earlier run; locks it
    local entry
    if [[ -z $work ]]; then
        work=$(mktemp -d "${TMPDIR:-/var/tmp}/fresh_check.XXXXXX") || fail "no folder to work in."
    fi
    work=$(realpath -m -- "$work")
    [[ $work != *[[:space:]]* ]] || fail "debootstrap needs a path without spaces, not $work."
    [[ $checkout/ != "$work"/* ]] || fail "$work contains the checkout: choose another folder."
    root=$work/system logs=$work/logs marker=$work/fresh_check.txt
    [[ -z $enter || -f $marker ]] || fail "$work is not the folder of a run that was kept."
    if [[ ! -e $work ]]; then
        (umask 077 && mkdir -p -- "$work") || fail "$work could not be made."
    fi
    exec 9<"$work" || fail "$work can't be opened."
    flock --timeout 2 9 || fail "another run works in $work at this moment."
    if [[ ! -f $marker ]]; then
        entry=$(find "$work" -mindepth 1 -print -quit)
        [[ -z $entry ]] || fail "$work has other things in it: choose a new or an empty folder."
        say "incomplete" >"$marker"
    fi
    [[ -n $enter ]] || rm -rf --one-file-system -- "$logs"
    mkdir -p "$logs"
    prepared=yes
}

make_base() { # the Debian root with its packages, or the one of an earlier run if it is the same
    local description
    stop_processes # those of an earlier run that was killed
    unmount_all || fail "something is still mounted in $root."
    description="$release | $mirror | $sources | $packages | $(uname -m)"
    if [[ $(<"$marker") == "$description" && -x $root/usr/bin/python3 ]]; then
        say "Using the Debian $release of an earlier run in $root"
        delete_inside "$root/home/$user" "$root/tmp" "$root/var/tmp"
        mount_all
        if [[ -d $root/home/$user ]]; then
            # --force: also if this machine has processes of a user with the same number
            inside_as_root userdel --force --remove "$user" >>"$logs/settings.txt" 2>&1
        fi
        run_step settings.txt "Writing the network settings" write_network_settings
    else
        delete_root
        say "incomplete" >"$marker"
        run_step debootstrap.txt "Making a bare Debian $release in $root (1 to 5 minutes)" \
            debootstrap --variant=minbase --components="$components" --include=ca-certificates \
            "$release" "$root" "$mirror"
        mount_all
        run_step settings.txt "Writing the network settings" write_network_settings
        run_step packages.txt "Installing: $packages" install_packages
        printf '%s' "$description" >"$marker"
    fi
    base_size=$(disk_used "$root")
}

make_user() { # a new ordinary user with a clean clone of the checkout
    inside_as_root useradd --create-home --shell /bin/bash "$user" || return 1
    # The checkout may belong to another user than root, which git refuses by default.
    printf '[safe]\n\tdirectory = *\n' >"$work/gitconfig"
    GIT_CONFIG_GLOBAL=$work/gitconfig git clone --quiet --no-hardlinks \
        "$checkout" "$root/home/$user/inkgraph" || return 1
    inside_as_root chown -R "$user:$user" "/home/$user"
}

check_fonts() {
    # shellcheck disable=SC2016  # dpkg's variable
    font_packages=$(inside_as_root dpkg-query -W -f '${Package}\n' |
        grep -E '^(fonts|otf|ttf|xfonts)-' | tr '\n' ' ')
    font_packages=${font_packages% }
    if [[ -n $fonts && $font_packages != fonts-dejavu-core ]]; then
        fail "other font packages than fonts-dejavu-core are there: $font_packages."
    fi
}

probe() { # what an ordinary user of a working Debian can do; run as that user
    # shellcheck disable=SC2016  # for the shell inside
    inside_as_user bash -e -c '
        test "$(id -u)" -ne 0
        echo gone >/dev/null
        head -c 8 /dev/urandom | wc -c | grep -qx 8
        for folder; do test -r "$folder" && test -x "$folder"; done
        python3 -c "
from multiprocessing import Pool, shared_memory
block = shared_memory.SharedMemory(create=True, size=1 << 20)
block.close(); block.unlink()
with Pool(2) as pool:
    assert pool.map(abs, [-1, 2]) == [1, 2]
import os; os.close(os.openpty()[0])
"
        probe=$(mktemp -d)
        python3 -m venv "$probe/venv"
        "$probe/venv/bin/python" -m pip install -c packaging/constraints.txt iniconfig
        "$probe/venv/bin/python" -c "import iniconfig"
        rm -rf "$probe" ~/.cache
    ' bash ${pip_folders[@]+"${pip_folders[@]}"}
}

# --- the report ----------------------------------------------------------------------------------

describe_processor() {
    local model flags feature found="" absent=""
    model=$(grep -m1 -E '^(model name|Model|cpu model)' /proc/cpuinfo | sed 's/^[^:]*: *//')
    flags=" $(grep -m1 -E '^(flags|Features)' /proc/cpuinfo | sed 's/^[^:]*: *//') "
    case $(uname -m) in
    x86_64 | i?86)
        set -- sse4_2 avx f16c fma bmi2 avx2 avx_vnni avx512f avx512bw avx512_vnni avx512_bf16 \
            amx_tile amx_int8 amx_bf16
        ;;
    *) set -- asimd asimdhp asimddp i8mm bf16 sve sve2 sme ;;
    esac
    for feature; do
        if [[ $flags == *" $feature "* ]]; then found+=" $feature"; else absent+=" $feature"; fi
    done
    say "Processor: ${model:-unknown}, $(uname -m), $(nproc) cores," \
        "$(awk '/^MemTotal/ {printf "%.0f", $2 / 1048576}' /proc/meminfo) GiB of memory"
    say "    has:${found:- none of the features that llama.cpp uses}"
    say "    has not:${absent:- (none)}"
}

describe_llama() { # which build of llama.cpp the environment has, asked of the build itself
    inside_as_user .venv/bin/python - 2>/dev/null <<'PYTHON' || say "    llama.cpp: not installed"
import re

import llama_cpp

llama_cpp.llama_backend_init()
with open("/proc/self/maps", encoding="utf-8") as maps:
    loaded = sorted(set(re.findall(r"lib(?:ggml|llama)[^/\s]*\.so\S*", maps.read())))
print(f"    llama.cpp: llama-cpp-python {llama_cpp.__version__}, loaded: {' '.join(loaded)}")
print(f"    it says: {llama_cpp.llama_print_system_info().decode().strip()}")
PYTHON
    local log
    for log in inkgraph-setup.log inkgraph-build.log; do
        if [[ -f $root/home/$user/inkgraph/.venv/$log ]]; then
            cp -- "$root/home/$user/inkgraph/.venv/$log" "$logs/"
        fi
    done
}

describe_sizes() {
    local home=$root/home/$user
    say "    environment $(size "$(disk_used "$home/inkgraph/.venv")")," \
        "models $(size "$(disk_used "$home/.local/share/inkgraph/models")")," \
        "caches $(size "$(disk_used "$home/.cache")")," \
        "the user's whole home $(size "$(disk_used "$home")")"
    say "    total disk $(size "$(disk_used "$root")")" \
        "(of which the Debian packages $(size "$base_size"))"
}

check_command() { # NAME: runs "python3 run.py NAME", shows its output, and adds it to the report
    local name=$1 log=$logs/$1.txt started=$SECONDS code=0 spent
    say $'\n'"--- python3 run.py $name, as the user $user without a display"
    : >"$log"
    tail -n +1 -f --pid=$$ "$log" 2>/dev/null 9<&- > >(sed -u 's/^/    | /' 9<&-) &
    viewer=$!
    run_job "$log" inside_as_user python3 run.py "$name" || code=$?
    spent=$((SECONDS - started))
    sleep 1.5 # tail looks once a second
    kill "$viewer" 2>/dev/null
    wait "$viewer" 2>/dev/null
    viewer=""
    {
        if ((code == 0)); then
            say "python3 run.py $name: passed in $(duration "$spent") (exit code 0)"
            say "    last line: $(grep -v '^[[:space:]]*$' "$log" | tail -n 1)"
        else
            say "python3 run.py $name: FAILED after $(duration "$spent") (exit code $code)"
        fi
        describe_sizes
        describe_llama
        if ((code)); then
            say "    the last lines of its output (complete: $log):"
            tail -n 40 "$log" | sed 's/^/    | /'
        fi
        if stop_processes; then say "    note: it left processes running, which were stopped"; fi
    } >>"$logs/report.txt"
    ((code == 0)) || failed=yes
}

# --- main ----------------------------------------------------------------------------------------

prepare_folder
find_network
if [[ -n $enter ]]; then
    keep=yes
    mount_all
    inside_as_user bash -l 9<&-
    exit
fi
find_sources
find_packages

say "Checkout: $checkout at $(git -c safe.directory="$checkout" -C "$checkout" log -1 --format='%h %s')"
if [[ -n $(git -c safe.directory="$checkout" -C "$checkout" status --porcelain) ]]; then
    say "    It has changes that are not committed: they are NOT part of this check."
fi
make_base
run_step clone.txt "Making the user $user with a clean clone" make_user
check_fonts
run_step probe.txt "Checking that the user has devices, shared memory, venv and pip's index" probe

if [[ $only != base ]]; then
    for name in demo test; do
        if [[ -z $only || $only == "$name" ]]; then check_command "$name"; fi
    done
fi

say $'\n'"=== Report ==="
# shellcheck source=/dev/null
say "System: $(. "$root/etc/os-release" && printf '%s' "$PRETTY_NAME")," \
    "$(inside_as_root python3 --version), mounts in $FRESH_CHECK_NAMESPACE namespace"
say "Font packages: ${font_packages:-none}"
describe_processor
if [[ -f $logs/report.txt ]]; then cat "$logs/report.txt"; fi
[[ -z $failed ]] || exit 1

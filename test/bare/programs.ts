import { accessSync, constants, mkdirSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** What every Linux has: the shell of POSIX and GNU's coreutils. */
const SYSTEM = `
  sh [ arch b2sum base32 base64 basename basenc cat chcon chgrp chmod chown chroot cksum comm cp csplit cut date dd df dir
  dircolors dirname du echo env expand expr factor false fmt fold groups head hostid id install join link ln logname ls
  md5sum mkdir mkfifo mknod mktemp mv nice nl nohup nproc numfmt od paste pathchk pinky pr printenv printf ptx pwd
  readlink realpath rm rmdir runcon seq sha1sum sha224sum sha256sum sha384sum sha512sum shred shuf sleep sort split stat
  stdbuf stty sum sync tac tail tee test timeout touch tr true truncate tsort tty uname unexpand uniq unlink users vdir
  wc who whoami yes`
const PROGRAMS = ['node', 'npm', 'npx', 'git', ...SYSTEM.trim().split(/\s+/)]

/** Fills a folder with links to the programs that a bare computer has. Node is the one of the computer. */
export function linkPrograms(folder: string): void {
  mkdirSync(folder)
  // npm puts the project's own Node in front.
  const folders = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((path) => !path.includes('node_modules') && !path.includes('node-gyp-bin'))
  for (const name of PROGRAMS) {
    const program = folders.map((path) => join(path, name)).find(isProgram)
    if (program !== undefined) symlinkSync(program, join(folder, name))
    else if (['node', 'npm', 'git', 'sh'].includes(name)) throw new Error(`${name} is missing`)
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

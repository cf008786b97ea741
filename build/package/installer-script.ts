import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const TEMPLATES = join(ROOT, 'build/node_modules/app-builder-lib/templates/nsis')

/**
 * Compiles build/installer.nsh with electron-builder's own macros, as its installer includes them.
 * Returns false if NSIS is not installed; throws with the compiler's output when it fails.
 */
export function compileInstallerScript(folder: string): boolean {
  const script = join(folder, 'installer-check.nsi')
  writeFileSync(script, scriptAround(join(ROOT, 'build/installer.nsh'), join(folder, 'check.exe')))
  const { status, error, stdout } = spawnSync('makensis', ['-V2', '-WX', script], {
    encoding: 'utf8',
  })
  if (error !== undefined) return false
  if (status !== 0) throw new Error(`the installer's script does not compile:\n${stdout}`)
  return true
}

/** `isUpdated` and the texts come from parts of electron-builder that need plugins of its own. */
function scriptAround(part: string, output: string): string {
  return `Unicode true
Name "Check"
OutFile "${output}"
!define APP_EXECUTABLE_FILENAME "Tidegate.exe"
!define PRODUCT_NAME "Tidegate"
!addincludedir "${join(TEMPLATES, 'include')}"
!include "LogicLib.nsh"
!include "${part}"
!macro _isUpdated _a _b _t _f
  StrCmp $0 "--updated" \`\${_t}\` \`\${_f}\`
!macroend
!define isUpdated \`"" isUpdated ""\`
!include "allowOnlyOneInstallerInstance.nsh"
LangString appRunning 1033 "running"
LangString appClosing 1033 "closing"
LangString appCannotBeClosed 1033 "cannot be closed"
Section
  !insertmacro CHECK_APP_RUNNING
SectionEnd
`
}

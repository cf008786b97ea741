# Part of the Windows installer and uninstaller. Before files are replaced or removed, the running app
# is asked to quit, so that its server finishes requests in progress and writes pending data. Then
# electron-builder's own macro kills any processes that are left.

!include "getProcessInfo.nsh"
Var pid
Var quitTries

!macro customCheckAppRunning
  !insertmacro IS_POWERSHELL_AVAILABLE
  !insertmacro FIND_PROCESS "${APP_EXECUTABLE_FILENAME}" $R0
  ${if} $R0 == 0
  ${andIf} ${FileExists} "$INSTDIR\${APP_EXECUTABLE_FILENAME}"
    ${ifNot} ${isUpdated}
      MessageBox MB_OKCANCEL|MB_ICONEXCLAMATION "$(appRunning)" /SD IDOK IDOK +2
      Quit
    ${endIf}
    DetailPrint "$(appClosing)"
    # Exits immediately; the running app takes longer to stop.
    ExecWait '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" --quit'
    StrCpy $quitTries 0
    # Stopping takes up to 25 seconds. An app with unsaved changes asks first.
    ${do}
      Sleep 500
      IntOp $quitTries $quitTries + 1
      !insertmacro FIND_PROCESS "${APP_EXECUTABLE_FILENAME}" $R0
      ${if} $R0 != 0
        ${exitDo}
      ${endIf}
    ${loopUntil} $quitTries >= 60
  ${endIf}
  !insertmacro _CHECK_APP_RUNNING
!macroend

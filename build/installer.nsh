# Part of the Windows installer and uninstaller. Before files are replaced or removed, the running app
# is asked to quit: its server then answers what is under way and stores what it holds. electron-builder's
# own way, which kills the processes, comes after it for whatever is still there.

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
    # Ends at once; the app that runs is what takes its time.
    ExecWait '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" --quit'
    StrCpy $quitTries 0
    # Stopping takes up to 15 seconds. An app with unsaved changes asks first.
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

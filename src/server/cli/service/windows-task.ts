import type { ServiceProgram } from './definition.ts'

/** The account NT AUTHORITY\LOCAL SERVICE, whatever its name in the language of the system. */
export const LOCAL_SERVICE = 'S-1-5-19'

/** Returns the task of the service, in the format of the Task Scheduler. The encoding is that of the file. */
export function windowsTask({ node, entry }: ServiceProgram, dataFolder: string): string {
  const log = `${dataFolder}\\server.log`
  const args = [entry, 'serve', '--data', dataFolder, '--log-file', log].map(quoted).join(' ')
  return `<?xml version="1.0"?>
<Task version="1.4" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>Tidegate update server</Description>
  </RegistrationInfo>
  <Triggers>
    <BootTrigger>
      <Enabled>true</Enabled>
    </BootTrigger>
  </Triggers>
  <Principals>
    <Principal id="Account">
      <UserId>${LOCAL_SERVICE}</UserId>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Priority>5</Priority>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>999</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Account">
    <Exec>
      <Command>${escaped(node)}</Command>
      <Arguments>${escaped(args)}</Arguments>
      <WorkingDirectory>${escaped(dataFolder)}</WorkingDirectory>
    </Exec>
  </Actions>
</Task>
`
}

function quoted(word: string): string {
  return /[\s"]/.test(word) ? `"${word}"` : word
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

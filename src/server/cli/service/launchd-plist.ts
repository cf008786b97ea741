import type { ServiceProgram } from './definition.ts'

/** The name of the service for launchd. */
export const LABEL = 'app.tidegate.server'

/** The data folder of the service. */
export const STATE_FOLDER = '/Library/Application Support/Tidegate'

/** Returns the property list of the service, which launchd.plist(5) describes. */
export function launchdPlist(program: ServiceProgram, account: string): string {
  // Rotated by the server: launchd would let the file grow.
  const log = ['--log-file', `${STATE_FOLDER}/server.log`]
  const words = [program.node, program.entry, 'serve', '--data', STATE_FOLDER, ...log]
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${words.map((word) => `    <string>${escaped(word)}</string>`).join('\n')}
  </array>
  <key>UserName</key>
  <string>${escaped(account)}</string>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>ExitTimeOut</key>
  <integer>60</integer>
  <key>Umask</key>
  <integer>63</integer>
  <key>SoftResourceLimits</key>
  <dict>
    <key>NumberOfFiles</key>
    <integer>65536</integer>
  </dict>
  <key>StandardErrorPath</key>
  <string>/dev/null</string>
</dict>
</plist>
`
}

function escaped(word: string): string {
  return word.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

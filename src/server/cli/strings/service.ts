export const text = {
  description: 'Run the server as a service of this computer',
  install: {
    description: 'Install the service, or bring an installed one up to date, and start it',
    done: 'The service is installed, and starts with the computer.',
    firstAccount: (command: string, folder: string) =>
      `Create the first account of the console with: ${command} person setup-link --data "${folder}"`,
  },
  uninstall: {
    description: 'Stop and remove the service; the data stays',
    done: (folder: string) => `The service is removed. The data is still in ${folder}.`,
  },
  status: {
    description: 'Show whether the service runs; exits with code 1 if it does not',
    state: {
      running: 'running',
      starting: 'starting',
      stopped: 'stopped',
      failed: 'failed',
      not_installed: 'not installed',
    },
    line: (state: string, pid: number | null) =>
      pid === null ? `Service  ${state}` : `Service  ${state} (process ${pid})`,
    detail: (detail: string) => `Status   ${detail}`,
    data: (folder: string) => `Data     ${folder}`,
    log: (place: string) => `Log      ${place}`,
    notRunning: (state: string) => `the service is ${state}`,
  },
  printOption: 'Print the steps and files without changing anything',

  write: (file: string) => `Write ${file}`,
  createFolder: (folder: string) => `Create ${folder}`,
  remove: (file: string) => `Delete ${file}`,
  run: (command: string) => `Run ${command}`,
  stepFailed: (step: string, reason: string) => `"${step}" failed: ${reason}`,
  lacks: (reasons: readonly string[]) => reasons.join('; '),
  lacking: (reason: string) => `Missing: ${reason}`,
  unsupported: (platform: string) =>
    `services are supported on Linux with systemd, macOS and Windows, not on ${platform}; start "serve" with the service manager of this system`,

  needsRoot: 'administrator rights are required: run the command with sudo',
  invalidConfig: (file: string) => `${file} is invalid: fix what "config check ${file}" lists`,
  listening: (address: string) => `Listening on ${address}`,

  systemd: {
    log: 'journalctl -u tidegate',
    notRunning: 'systemd does not run on this computer: start "serve" with its service manager',
    hidden: (file: string) =>
      `${file} is in a folder that the service cannot see: install Tidegate outside of home and temporary folders, for example in /opt`,
    unreadable: (file: string) =>
      `the account of the service cannot read ${file}: allow it with chmod, or install Tidegate elsewhere, for example in /opt`,
  },
  launchd: {
    log: (file: string) => file,
    noAccount: 'the service does not run as root: use sudo from the account that it should run as',
    yourAccount: 'YOUR_ACCOUNT',
  },
  windows: {
    log: (file: string) => file,
    noAdministrator: 'administrator rights are required: use a terminal that runs as administrator',
  },
} as const

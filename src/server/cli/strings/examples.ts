/** Examples in the help of every command and in docs/cli.md, without the name of the program. */
export const EXAMPLES = {
  serve: ['serve', 'serve --console lan --tls-self-signed --console-host updates.studio.example'],
  app: {
    create: ['app create editor --name "The Editor"', 'app create editor --init'],
    list: ['app list', 'app list --json'],
    freeze: [
      'app freeze editor',
      'app freeze editor --add 2026-12-19..2027-01-03 --name Holidays --time-zone Europe/Berlin',
      'app freeze editor --remove 2026-12-19..2027-01-03',
    ],
    proving: [
      'app proving editor',
      'app proving editor --allow-host downloads.example --minisign-key RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3',
    ],
  },
  channel: {
    create: ['channel create editor beta'],
    list: ['channel list editor'],
    policy: [
      'channel policy editor stable',
      'channel policy editor stable --minimum-supported-version 1.2.0',
    ],
    earlyAccess: [
      'channel early-access editor stable',
      'channel early-access editor stable --add-device 5b1f0c1e --add-label ring=beta',
    ],
  },
  key: {
    mint: ['key mint ci --app editor --scope publish --scope serve'],
    list: ['key list', 'key list --server https://updates.studio.example'],
    revoke: ['key revoke tg_Ab3dE'],
  },
  person: {
    list: ['person list'],
    setupLink: ['person setup-link'],
    consoleCode: ['person console-code'],
    invite: [
      'person invite ada --role release_manager',
      'person invite grace --app-role editor=viewer',
    ],
    resetPassword: ['person reset-password ada'],
    disable: ['person disable ada'],
    enable: ['person enable ada'],
    endSessions: ['person end-sessions ada'],
    resetTwoFactor: ['person reset-two-factor ada'],
  },
  webhook: {
    create: [
      'webhook create "CI events" https://ci.example/hooks/tidegate --app editor --event release.published',
      'webhook create Chat - --format slack',
    ],
    list: ['webhook list', 'webhook list --server https://updates.studio.example'],
    disable: ['webhook disable Chat'],
    enable: ['webhook enable Chat'],
    delete: ['webhook delete Chat'],
    test: ['webhook test Chat', 'webhook test Chat --json'],
  },
  file: {
    list: ['file list', 'file list --server https://updates.studio.example --json'],
    delete: ['file delete 9b71d224bd62f3785d96d46ad3ea3d73'],
    uploads: ['file uploads', 'file uploads --server https://updates.studio.example --json'],
    cancel: ['file cancel 0f8fad5bd9cb469fa16570867728950e'],
  },
  publish: [
    'publish editor stable 1.4.0 --file windows/x86_64=Editor-setup.exe --upload',
    'publish editor stable 1.4.0 --file windows/x86_64=Editor-setup.exe --url-base https://downloads.example/1.4.0/',
    'publish editor stable --from latest.json --verify-urls --notes CHANGELOG.md#1.4.0 --rollout 10',
    'publish editor stable --from latest.json --plan cautious-week',
    'publish editor stable 1.4.0 --draft --file linux/x86_64/deb=editor.deb --url-base https://downloads.example/1.4.0/',
    'publish editor beta --from latest.yml --from latest-mac.yml --url-base https://downloads.example/1.4.0/ --if-exists same-ok',
  ],
  draft: {
    list: ['draft list editor', 'draft list --json'],
    show: ['draft show editor stable 1.4.0'],
    publish: [
      'draft publish editor stable 1.4.0 --expect windows/x86_64 --expect linux/x86_64/deb --rollout 10',
    ],
    delete: ['draft delete editor stable 1.4.0'],
  },
  promote: [
    'promote editor beta 1.4.0 --to stable --rollout 10',
    'promote editor beta 1.4.0 --to stable --if-exists same-ok',
  ],
  ramp: ['ramp editor stable 1.4.0 50%'],
  pause: ['pause editor stable 1.4.0'],
  resume: ['resume editor stable 1.4.0'],
  rollback: ['rollback editor stable 1.4.0'],
  retarget: ['retarget editor stable 1.4.0 --targets ring=beta --targets ring=internal'],
  wait: ['wait editor stable 1.4.0 --adopted 80% --timeout 2h'],
  release: {
    list: ['release list editor --channel stable', 'release list --json'],
    plan: {
      set: [
        'release plan set editor stable 1.4.0 cautious-week --time-zone Europe/Berlin',
        'release plan set editor stable 1.4.0 plan.json',
      ],
      show: ['release plan show editor stable 1.4.0'],
      suspend: ['release plan suspend editor stable 1.4.0'],
      resume: ['release plan resume editor stable 1.4.0'],
      remove: ['release plan remove editor stable 1.4.0'],
    },
    health: ['release health editor stable 1.4.0', 'release health editor stable 1.4.0 --json'],
    prove: [
      'release prove editor stable 1.4.0',
      'release prove editor stable 1.4.0 --server https://updates.studio.example --key-file key.txt --json',
    ],
  },
  device: {
    show: ['device show editor 5b1f0c1e'],
    explain: [
      'device explain editor stable 5b1f0c1e',
      'device explain editor stable 5b1f0c1e --version 1.3.0 --label ring=beta',
      'device explain editor stable 5b1f0c1e --manual',
    ],
    forget: ['device forget editor 5b1f0c1e'],
  },
  fleet: { summary: ['fleet summary editor'] },
  backup: [
    'backup tidegate-backup.db',
    'backup tidegate-backup.db --force',
    'backup tidegate-backup.db --with-files',
  ],
  restore: ['restore tidegate-backup.db', 'restore tidegate-backup.db --with-files'],
  doctor: ['doctor', 'doctor --json'],
  status: ['status', 'status --server https://updates.studio.example --key-file key.txt'],
  supportBundle: ['support-bundle', 'support-bundle --output support.zip'],
  upgrade: ['upgrade --check', 'upgrade'],
  move: [
    'move --from /var/lib/tidegate --to postgres://tidegate@db.studio.example/tidegate',
    'move --from postgres://tidegate@db.studio.example/tidegate --to /srv/tidegate',
    'move --to postgres://tidegate@db.studio.example/tidegate --discard',
  ],
  config: {
    show: ['config show', 'config show --json'],
    check: ['config check', 'config check tidegate.json'],
    schema: ['config schema'],
  },
  mail: { test: ['mail test ada@studio.example'] },
  service: {
    install: ['service install --print', 'service install'],
    status: ['service status', 'service status --json'],
    uninstall: ['service uninstall'],
  },
  login: [
    'login https://updates.studio.example:8440',
    'login https://updates.studio.example:8440 --people',
    'login https://192.0.2.10:8440 --fingerprint AB:12:…',
  ],
  logout: ['logout https://updates.studio.example:8440'],
  whoami: ['whoami', 'whoami --server https://updates.studio.example:8440'],
  completion: [
    'completion bash >> ~/.bashrc',
    'completion fish > ~/.config/fish/completions/tidegate.fish',
  ],
} as const

// Made by `npm run generate` from the commands.

/** The commands of the top level, as the help of the program shows them. */
export const COMMAND_LIST = [
  {
    name: 'serve',
    term: 'serve [options]',
    description: 'Start the server',
  },
  {
    name: 'app',
    term: 'app',
    description: 'Create and list apps',
  },
  {
    name: 'channel',
    term: 'channel',
    description: 'Create and list channels, and set their policies',
  },
  {
    name: 'key',
    term: 'key',
    description: 'Create, list and revoke API keys',
  },
  {
    name: 'person',
    term: 'person',
    description: 'Manage the people who can sign in to the console',
  },
  {
    name: 'webhook',
    term: 'webhook',
    description: 'Create, list, disable, delete and test webhooks',
  },
  {
    name: 'publish',
    term: 'publish [options] <app> <channel> [version]',
    description: 'Publish a release, which cannot be edited afterwards',
  },
  {
    name: 'promote',
    term: 'promote [options] <app> <channel> <version>',
    description: 'Publish a release of one channel on another, with the same notes and files',
  },
  {
    name: 'ramp',
    term: 'ramp [options] <app> <channel> <version> <pct>',
    description: 'Change the rollout of a release, which can only grow once it was offered',
  },
  {
    name: 'pause',
    term: 'pause [options] <app> <channel> <version>',
    description: 'Pause a release, so that no other device is offered it',
  },
  {
    name: 'resume',
    term: 'resume [options] <app> <channel> <version>',
    description: 'Continue a paused release',
  },
  {
    name: 'rollback',
    term: 'rollback [options] <app> <channel> <version>',
    description: 'Withdraw a release permanently',
  },
  {
    name: 'retarget',
    term: 'retarget [options] <app> <channel> <version>',
    description: 'Change the targets of a release, which can only broaden once it was offered',
  },
  {
    name: 'wait',
    term: 'wait [options] <app> <channel> <version>',
    description: 'Wait until a share of the devices on the channel runs a release',
  },
  {
    name: 'release',
    term: 'release',
    description: 'List, check and prove releases, and plan their rollouts',
  },
  {
    name: 'file',
    term: 'file',
    description: 'Manage the built files that the server stores',
  },
  {
    name: 'draft',
    term: 'draft',
    description: 'Put a release together from several build jobs, and publish it',
  },
  {
    name: 'device',
    term: 'device',
    description: 'Show, explain or forget a device',
  },
  {
    name: 'fleet',
    term: 'fleet',
    description: 'Show statistics about the devices of an app',
  },
  {
    name: 'backup',
    term: 'backup [options] <file>',
    description: 'Back up the database to one file; the server can keep running',
  },
  {
    name: 'restore',
    term: 'restore [options] <file>',
    description: 'Replace the database with a backup; stop the server first',
  },
  {
    name: 'doctor',
    term: 'doctor [options]',
    description: 'Check the database without changing it',
  },
  {
    name: 'status',
    term: 'status [options]',
    description: 'Show the state of the running server',
  },
  {
    name: 'support-bundle',
    term: 'support-bundle [options]',
    description: 'Collect versions, settings, state and log lines in a file for support',
  },
  {
    name: 'login',
    term: 'login [options] <url>',
    description: 'Sign in to a server in its browser console',
  },
  {
    name: 'logout',
    term: 'logout [options] [url]',
    description: 'Sign out of a server and delete the saved session',
  },
  {
    name: 'whoami',
    term: 'whoami [options]',
    description: 'Show who commands act as',
  },
  {
    name: 'upgrade',
    term: 'upgrade [options]',
    description:
      'Copy the database (SQLite only) and migrate it to this version; stop the server first',
  },
  {
    name: 'move',
    term: 'move [options]',
    description: 'Copy everything from SQLite to an empty PostgreSQL database, or back',
  },
  {
    name: 'config',
    term: 'config',
    description: 'Show and check the settings of the server',
  },
  {
    name: 'mail',
    term: 'mail',
    description: 'Mail for invitations, approvals and alarms',
  },
  {
    name: 'service',
    term: 'service',
    description: 'Run the server as a service of this computer',
  },
] as const

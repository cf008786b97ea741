import { MIN_PASSWORD_LENGTH } from '../../../shared/console/people/account.ts'
import { formatCounted } from '../../../shared/wording/format.ts'

const codes = (count: number) => formatCounted(count, 'recovery code')

export const text = {
  title: 'My account',
  signedInAs: (name: string) => `Signed in as ${name}`,
  currentPassword: 'Current password',
  confirmPassword: 'Your password',

  password: {
    title: 'Password',
    none: 'Your account has no password.',
    hint: 'Changing your password ends all your other sessions.',
    change: 'Change password',
    set: 'Set password',
    next: 'New password',
    nextHint: `At least ${MIN_PASSWORD_LENGTH} characters. Several words that do not belong together are easy to remember.`,
    effect: (others: number) => `${formatCounted(others, 'other session')} will end.`,
    done: 'Your password was changed.',
    failed: 'Your password was not changed',
  },

  twoFactor: {
    title: 'Two-factor authentication',
    off: 'Off. Your password alone is enough to sign in.',
    on: (left: number) =>
      `On. An authenticator app is needed to sign in with your password. ${codes(left)} left.`,
    setUp: 'Set up authenticator app',
    replace: 'Replace authenticator app',
    newCodes: 'Create new recovery codes',
    turnOff: 'Turn off',
    setUpFailed: 'The authenticator app was not set up',
  },
  enrol: {
    title: 'Set up an authenticator app',
    scan: 'Scan the QR code with an authenticator app, or enter the key. Then enter the code that the app shows.',
    qrCode: 'QR code with the key for an authenticator app',
    secret: 'Key',
    code: 'Code from the app',
    action: 'Turn on',
    failed: 'Two-factor authentication was not turned on',
  },
  recovery: {
    title: 'Save your recovery codes',
    hint: 'Each code signs you in once when you do not have your authenticator app. They are shown only now.',
    codes: 'Recovery codes',
    download: 'Download',
    file: 'tidegate-recovery-codes.txt',
    downloadFailed: 'The recovery codes were not saved',
    stay: 'Save the recovery codes first. They will not be shown again.',
    done: 'I have saved them',
  },
  newCodes: {
    title: 'Create new recovery codes',
    effect: (left: number) => `Your ${codes(left)} will stop working.`,
    action: 'Create codes',
    failed: 'No recovery codes were created',
  },
  turnOff: {
    title: 'Turn off two-factor authentication',
    effect: (left: number) =>
      `Your password alone will be enough to sign in. Your ${codes(left)} will stop working.`,
    action: 'Turn off',
    done: 'Two-factor authentication was turned off.',
    failed: 'Two-factor authentication was not turned off',
  },

  passkeys: {
    title: 'Passkeys',
    hint: 'Sign in with the lock of your device or a security key, without a password.',
    unsupported:
      'Passkeys need a browser that supports them, and the console under a host name over HTTPS.',
    columns: { name: 'Name', created: 'Created', lastUsed: 'Last used', actions: 'Actions' },
    add: 'Add passkey',
    remove: 'Delete',
    removeLabel: (name: string) => `Delete passkey ${name}`,
  },
  addPasskey: {
    title: 'Add a passkey',
    name: 'Name',
    nameHint: 'For example the device that keeps it',
    action: 'Continue',
    done: (name: string) => `Passkey ${name} was added.`,
    failed: 'The passkey was not added',
  },
  removePasskey: {
    title: (name: string) => `Delete passkey ${name}`,
    effect: (left: number) =>
      `You can no longer sign in with it. ${formatCounted(left, 'other passkey')} will remain.`,
    action: 'Delete passkey',
    done: (name: string) => `Passkey ${name} was deleted.`,
    failed: (name: string) => `Passkey ${name} was not deleted`,
  },

  singleSignOn: {
    title: 'Single sign-on',
    hint: (provider: string) => `Sign in with your account at ${provider}, without a password.`,
    noProvider: 'This server has no identity provider. Linked accounts cannot be used to sign in.',
    columns: { provider: 'Provider', account: 'Account', actions: 'Actions' },
    link: 'Link account',
    linkTitle: (provider: string) => `Link your account at ${provider}`,
    linkEffect: (provider: string) =>
      `Sign in at ${provider} to confirm that the account is yours. From then on it signs you in here.`,
    linkAction: 'Continue',
    linkFailed: 'Your account was not linked',
    unlink: 'Unlink',
    unlinkLabel: (provider: string) => `Unlink your account at ${provider}`,
    unlinkTitle: (provider: string) => `Unlink your account at ${provider}`,
    unlinkEffect: (provider: string) => `You can no longer sign in with ${provider}.`,
    unlinkAction: 'Unlink account',
    unlinked: (provider: string) => `Your account at ${provider} was unlinked.`,
    unlinkFailed: (provider: string) => `Your account at ${provider} was not unlinked`,
  },

  sessions: {
    title: 'Sessions',
    columns: {
      browser: 'Browser or computer',
      address: 'Address',
      started: 'Signed in',
      lastUsed: 'Last used',
      actions: 'Actions',
    },
    current: 'This session',
    end: 'End',
    endLabel: (address: string) => `End the session at ${address}`,
    ended: 'The session was ended.',
    endFailed: 'The session was not ended',
    endOthers: (count: number) => `End ${formatCounted(count, 'other session')}`,
    endOthersTitle: 'End all other sessions',
    endOthersEffect: (count: number) =>
      `${formatCounted(count, 'other session')} will end. This one stays.`,
    endedOthers: (count: number) => `Ended ${formatCounted(count, 'session')}.`,
    endOthersFailed: 'The sessions were not ended',
  },

  commandLine: {
    title: 'Sign in a command line',
    description: 'Confirm a sign-in that "tidegate login" started on a computer',
    enter: 'Enter the code',
    enterHint: 'The command shows a code of eight letters. It is valid for 10 minutes.',
    code: 'Code',
    codeForm: 'XXXX-XXXX',
    continue: 'Continue',
    notFound: 'The code was not accepted',
    confirmTitle: (computer: string) => `Sign in “${computer}”?`,
    effect:
      'Commands on this computer will act as you, with your roles, until you end the session under My account.',
    details: 'Details of the sign-in',
    computer: 'Computer (unverified)',
    address: 'Network address',
    access: 'Access',
    withoutPeople:
      'What your roles allow, except managing accounts and creating keys that bypass approvals',
    withPeople:
      'Everything your roles allow, including managing accounts and creating keys that bypass approvals',
    ownAddress: 'Same address as this browser',
    otherAddress: 'Not the address of this browser',
    asked: 'Started',
    warning:
      'Confirm only if you ran the command yourself and it shows this code and this address. The computer chooses its name itself. If somebody sent you the code, deny the sign-in.',
    otherCode: 'Enter another code',
    deny: 'Deny',
    confirm: 'Confirm sign-in',
    notDecided: 'The sign-in was not confirmed or denied',
    outcome: {
      confirmed: {
        title: 'Sign-in confirmed',
        next: 'Return to the command line. You can close this page. The session is listed under My account.',
      },
      denied: { title: 'Sign-in denied', next: 'The command line was not signed in.' },
    },
  },

  appearance: { title: 'Appearance', failed: 'The setting was not saved' },
} as const

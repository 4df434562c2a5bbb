module.exports = ({ env }) => ({
  host: '127.0.0.1',
  port: env.int('PORT'),
  app: { keys: ['of', 'a benchmark'] },
  logger: { startup: { enabled: false }, updates: { enabled: false } },
});

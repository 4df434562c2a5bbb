module.exports = { 'users-permissions': { config: { jwtSecret: 'of a benchmark' } } };

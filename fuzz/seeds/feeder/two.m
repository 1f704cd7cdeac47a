function mpc = two
mpc.version = '2';
mpc.baseMVA = 50/3;
mpc.bus = [ %% kW
	1	3	0	0	0	0	1	1	0	12/sqrt(3)	1	1	1;
	2	1	20	10	0	0.1	1	1	0	12	1	1	1;
];
mpc.gen = [1 0 0 9 -9 1 10 1 9 0];
mpc.branch = [1 2 0.01 0.02 0 0 0 0 0.98 30 1];
mpc.bus(:, [PD, QD]) = mpc.bus(:, [PD, QD]) / 1e3;
